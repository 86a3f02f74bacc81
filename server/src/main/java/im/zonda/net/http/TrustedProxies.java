package im.zonda.net.http;

import im.zonda.http.HttpException;
import im.zonda.net.proxy.AddressRanges;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The reverse proxies that may say whose requests they pass on, in `Forwarded` (RFC 7239) or in
/// `X-Forwarded-For` and `X-Forwarded-Proto`. What anyone else says there is ignored.
public final class TrustedProxies {
  private static final int MAX_HOPS = 16;

  private final AddressRanges proxies;

  /// Who has sent a request.
  ///
  /// @param secure whether the client's connection is encrypted
  record Client(InetAddress address, boolean secure) {}

  /// One step of a request.
  ///
  /// @param node the address that it came from; null if that is not said
  /// @param proto the scheme, or null
  private record Hop(@Nullable InetAddress node, @Nullable String proto) {}

  /// @param proxies who is believed
  public TrustedProxies(AddressRanges proxies) {
    this.proxies = proxies;
  }

  private boolean trusts(InetAddress address) {
    return proxies.contains(address);
  }

  /// The client of a request: the last one in the chain that no trusted proxy is.
  ///
  /// @param peer who has made the connection
  /// @param tls whether it is encrypted
  /// @throws HttpException 400 if a trusted proxy says what cannot be read, or passes on fields of
  ///   both kinds that name different clients: one of them is the client's own
  Client client(InetAddress peer, boolean tls, HttpHeaders fields) {
    Client client = new Client(peer, tls);
    if (!trusts(peer)) {
      return client;
    }
    List<Hop> standard = forwarded(fields);
    List<Hop> older = xForwarded(fields);
    Client found = client(client, standard.isEmpty() ? older : standard);
    if (!standard.isEmpty() && !older.isEmpty() && !found.equals(client(client, older))) {
      throw new HttpException(400, "Forwarded and X-Forwarded-For contradict each other");
    }
    return found;
  }

  private Client client(Client peer, List<Hop> hops) {
    Client client = peer;
    if (hops.size() > MAX_HOPS) {
      throw new HttpException(400, "The request has passed too many proxies");
    }
    for (int i = hops.size() - 1; i >= 0 && trusts(client.address()); i--) {
      Hop hop = hops.get(i);
      String proto = hop.proto();
      boolean secure = proto == null ? client.secure() : proto.equals("https");
      InetAddress node = hop.node();
      if (node == null) {
        return new Client(client.address(), secure);
      }
      client = new Client(node, secure);
    }
    return client;
  }

  private static List<Hop> forwarded(HttpHeaders fields) {
    List<Hop> hops = new ArrayList<>();
    List<String> forwarded = fields.getAll("Forwarded");
    if (!forwarded.isEmpty()) {
      split(String.join(",", forwarded), ',').forEach(element -> hops.add(hop(element)));
    }
    return hops;
  }

  /// The scheme is the last one: those before it are not of the proxy that has made the connection.
  private static List<Hop> xForwarded(HttpHeaders fields) {
    List<Hop> hops = new ArrayList<>();
    String proto = String.join(",", fields.getAll("X-Forwarded-Proto"));
    String last = proto.substring(proto.lastIndexOf(',') + 1).strip().toLowerCase(Locale.ROOT);
    String scheme = last.isEmpty() ? null : last;
    for (String node : split(String.join(",", fields.getAll("X-Forwarded-For")), ',')) {
      if (!node.isEmpty()) {
        hops.add(new Hop(address(node), scheme));
      }
    }
    if (hops.isEmpty() && scheme != null) {
      hops.add(new Hop(null, scheme));
    }
    return hops;
  }

  /// An element of `Forwarded`.
  private static Hop hop(String element) {
    InetAddress node = null;
    String proto = null;
    for (String pair : split(element, ';')) {
      int equals = pair.indexOf('=');
      if (equals < 0 && !pair.isEmpty()) {
        throw broken();
      }
      String name = equals < 0 ? "" : pair.substring(0, equals).strip().toLowerCase(Locale.ROOT);
      String value = equals < 0 ? "" : unquoted(pair.substring(equals + 1).strip());
      switch (name) {
        case "for" -> node = address(value);
        case "proto" -> proto = value.toLowerCase(Locale.ROOT);
        default -> {}
      }
    }
    return new Hop(node, proto);
  }

  /// Splits outside of quoted strings.
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        parts.add(text.substring(from, i).strip());
        from = i + 1;
      }
    }
    if (quoted) {
      throw broken();
    }
    parts.add(text.substring(from).strip());
    return parts;
  }

  private static String unquoted(String value) {
    return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }

  /// The address of a node (RFC 7239, section 6), with or without a port; null for one that is not
  /// known or has a name that only the proxy understands.
  private static @Nullable InetAddress address(String node) {
    if (node.equals("unknown") || node.startsWith("_")) {
      return null;
    }
    String text = node;
    int end = node.indexOf(']');
    if (node.startsWith("[") && end > 0) {
      text = node.substring(1, end);
    } else if (node.indexOf(':') == node.lastIndexOf(':') && node.indexOf(':') > 0) {
      text = node.substring(0, node.indexOf(':'));
    }
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "A proxy has sent an address that is none");
    }
  }

  private static HttpException broken() {
    return new HttpException(400, "A proxy has sent a field Forwarded that is none");
  }
}
