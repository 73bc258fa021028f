"""Language models through litellm, behind one gateway. Nothing here is imported while no model is configured."""
