package im.zonda.jid;

/// The part of a domain that its owner has registered, as far as it can be known without a list of
/// public suffixes: the last two labels. The owner has as many names below it as it likes, so that
/// bounds for each domain count all of them together.
public final class RegistrableDomain {
  private RegistrableDomain() {}

  /// Returns the last two labels of a domain; a shorter domain, or an IP address, as it is.
  public static String of(String domain) {
    int last = domain.lastIndexOf('.');
    int dot = last < 0 ? -1 : domain.lastIndexOf('.', last - 1);
    boolean literal = domain.endsWith("]") || Character.isDigit(domain.charAt(domain.length() - 1));
    return dot < 0 || literal ? domain : domain.substring(dot + 1);
  }
}
