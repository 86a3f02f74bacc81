package im.zonda.app.transfer.mongooseim;

import im.zonda.jid.Jid;

/// Addresses as the archive of MongooseIM shortens them for an account: what is the account's own
/// is left out, and the host of another one is before the user.
final class MinifiedJid {
  private MinifiedJid() {}

  /// The whole address: of `/r`, `bob`, `bob/r`, `:`, `:/r`, `host:bob`, `host:`, `host@bob/r` and
  /// `host@/r`; empty is the account itself.
  static String expand(Jid account, String minified) {
    String host = account.domain();
    if (minified.isEmpty() || minified.startsWith("/")) {
      return account + minified;
    }
    if (minified.equals(":") || minified.startsWith(":/")) {
      return host + minified.substring(1);
    }
    int end = 0;
    while (end < minified.length() && "@/:".indexOf(minified.charAt(end)) < 0) {
      end++;
    }
    String first = minified.substring(0, end);
    String rest = minified.substring(Math.min(end + 1, minified.length()));
    return switch (end == minified.length() ? '/' : minified.charAt(end)) {
      case ':' -> rest.isEmpty() ? first : rest + "@" + first;
      case '@' -> withHost(first, rest);
      default -> first + "@" + host + minified.substring(end);
    };
  }

  private static String withHost(String host, String rest) {
    int slash = rest.indexOf('/');
    String user = slash < 0 ? rest : rest.substring(0, slash);
    String resource = slash < 0 ? "" : rest.substring(slash);
    return user.isEmpty() ? host + resource : user + "@" + host + resource;
  }
}
