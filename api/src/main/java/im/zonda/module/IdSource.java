package im.zonda.module;

/// Creates identifiers that cannot be guessed.
@FunctionalInterface
public interface IdSource {
  /// A new identifier of at least 128 random bits, safe in XML, URLs and resources.
  String next();
}
