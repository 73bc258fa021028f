"""HTML and CSS of mail: links, styles, depth, what hides text, and the text that a reader sees."""
