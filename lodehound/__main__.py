"""``python -m lodehound`` runs ``lodehound``."""

from lodehound.cli import main

if __name__ == "__main__":
    main()
