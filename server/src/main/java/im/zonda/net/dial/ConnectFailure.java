package im.zonda.net.dial;

import im.zonda.dns.Target;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/// No server of a domain has accepted a connection.
public final class ConnectFailure extends IOException {
  private static final long serialVersionUID = 1;

  private final transient List<Attempt> attempts;

  /// An address that was tried.
  ///
  /// @param reason why there is no connection, a clause for the administrator
  public record Attempt(Target target, InetSocketAddress address, String reason) {
    @Override
    public String toString() {
      return target.host()
          + " ("
          + address.getAddress().getHostAddress()
          + " port "
          + address.getPort()
          + "): "
          + reason;
    }
  }

  ConnectFailure(List<Attempt> attempts) {
    super(attempts.stream().map(Attempt::toString).collect(Collectors.joining("; ")));
    this.attempts = List.copyOf(attempts);
  }

  /// What was tried, in the order in which it failed.
  public List<Attempt> attempts() {
    return attempts;
  }
}
