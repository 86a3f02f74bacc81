package im.zonda.study.cell;

import java.util.Locale;

/// A variant of the jars of the product.
public enum Jars {
  /// As they were built.
  PLAIN("as built"),
  /// All jars without line numbers, local variables and names of source files.
  STRIPPED("all jars without debug data, by the ClassFile API"),
  /// The product's own jars without the same data, as `javac -g:none` writes them.
  NO_DEBUG("own jars as javac -g:none writes them"),
  /// The product's own jars optimised by ProGuard, without other names.
  OPTIMISED("own jars optimised by ProGuard"),
  /// The product's own jars with shorter names of what is not public or protected, and without
  /// debug data: the contract of Retroguard.
  NAMES("own jars: private names shortened by ProGuard, no debug data"),
  /// The product's own jars without unused code.
  SHRUNK("own jars shrunk by ProGuard"),
  /// Only the driver of the database optimised by ProGuard.
  DRIVER("only the PostgreSQL driver optimised by ProGuard");

  private final String meaning;

  Jars(String meaning) {
    this.meaning = meaning;
  }

  /// For people.
  public String meaning() {
    return meaning;
  }

  /// The name of its folder.
  public String folder() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
