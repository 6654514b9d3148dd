"""Mirrors and translations, defined once for all methods: pages that say the same, in the same words or in another
language. `by_text` and `translations` say when two pages are, `index` keeps what `build` found, `kin` looks it up."""
