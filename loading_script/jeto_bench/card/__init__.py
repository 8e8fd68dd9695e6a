"""The dataset's card: facts computed from the data, figures, front matter, and what checks them."""
