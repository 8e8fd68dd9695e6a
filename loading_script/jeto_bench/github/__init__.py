"""What a forge knows of repositories, pull requests and issues: its API, or an export of it."""
