package im.zonda.net.edge;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where a core accepts edges.
///
/// @param name the name that its certificate must have: its host, if no other one is given
/// @param host its name or address in the network
/// @param port its port for edges
public record CoreAddress(String name, String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:([^=:/\\s\\[\\]]+)=)?([^=:/\\s\\[\\]]+|\\[[0-9a-fA-F:.]+]):([0-9]{1,5})");
  private static final int MAX_PORT = 65_535;

  /// A core whose certificate names its host.
  public CoreAddress(String host, int port) {
    this(host, host, port);
  }

  /// Reads `host:port` or `name=host:port`; null if the text is neither.
  public static @Nullable CoreAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String host = matcher.group(2);
    if (host.startsWith("[")) {
      host = host.substring(1, host.length() - 1);
    }
    int port = Integer.parseInt(matcher.group(3));
    String name = matcher.group(1);
    return port < 1 || port > MAX_PORT
        ? null
        : new CoreAddress(name == null ? host : name, host, port);
  }

  @Override
  public String toString() {
    String address = (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    return name.equals(host) ? address : name + "=" + address;
  }
}
