"""The mini ETIPs: Java projects written for this repository, and the dataset made of them."""
