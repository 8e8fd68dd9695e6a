"""A dataset with its images in one place, for sites without a network."""
