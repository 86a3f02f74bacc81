package im.zonda.module;

/// Makes identifiers that nobody can guess.
@FunctionalInterface
public interface IdSource {
  /// A new identifier of at least 128 random bits, safe in XML, URLs and resources.
  String next();
}
