package planted.unmarked;

/// Is in a package that does not say what null means.
final class Unmarked {
  private Unmarked() {}
}
