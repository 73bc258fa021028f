"""Language of mail: words, sentences, facts and speech acts."""
