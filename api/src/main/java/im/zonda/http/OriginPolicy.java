package im.zonda.http;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Which pages may open streams, by WebSocket or BOSH: those of this server, and those of the
/// origins that the settings of the host name. Other programs than browsers send no origin.
///
/// The host of the address that is requested decides, and then the host of the stream, which may be
/// another one of the same server. Any thread may call.
///
/// @param hosts the hosts
public record OriginPolicy(HttpHosts hosts) {
  /// Checks a request for a stream.
  ///
  /// @param domain the host of the address that is requested
  /// @param own the origin of that address
  /// @param origin where the page is from; null if no page asks
  /// @return whether it may open a stream to a domain
  /// @throws HttpException 403 if it may open none
  public Predicate<String> check(String domain, String own, @Nullable String origin) {
    if (origin == null) {
      return _ -> true;
    }
    boolean ours = origin.toLowerCase(Locale.ROOT).equals(own.toLowerCase(Locale.ROOT));
    if (!ours && !hosts.allowsOrigin(domain, origin)) {
      throw new HttpException(403, "Pages of this origin may not connect");
    }
    return to -> mayOpen(domain, origin, to);
  }

  /// A domain that is no host of this server is another one's to answer for: the stream.
  private boolean mayOpen(String domain, String origin, String to) {
    String wanted;
    try {
      wanted = Jid.of(to).domain();
    } catch (JidFormatException e) {
      return true;
    }
    return wanted.equals(domain)
        || !hosts.domains().contains(wanted)
        || hosts.allowsOrigin(wanted, origin);
  }
}
