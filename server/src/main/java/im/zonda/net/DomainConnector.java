package im.zonda.net;

import im.zonda.dns.ServerAddresses;
import im.zonda.dns.ServerAddresses.Found;
import im.zonda.dns.Target;
import im.zonda.link.ServerStreamFailure;
import im.zonda.link.ServerStreamFailure.Reason;
import im.zonda.net.dial.ConnectFailure;
import im.zonda.net.dial.DialTimes;
import im.zonda.stream.server.ServerConnector;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds the servers of a domain and opens a stream to the first that accepts a connection. Any
/// thread may call.
public final class DomainConnector implements ServerConnector {
  private final ServerAddresses addresses;
  private final Executor workers;
  private volatile @Nullable NetServer net;

  /// @param addresses where the servers of a domain are
  /// @param workers runs what may block
  public DomainConnector(ServerAddresses addresses, Executor workers) {
    this.addresses = addresses;
    this.workers = workers;
  }

  /// The network, once it has been started. Attempts before that fail.
  public void use(NetServer started) {
    net = started;
  }

  @Override
  public void connect(String domain, Profiles streams, Consumer<ServerStreamFailure> failed) {
    try {
      workers.execute(() -> findAndConnect(domain, streams, failed));
    } catch (RejectedExecutionException e) {
      failed.accept(new ServerStreamFailure(Reason.CLOSED, "this server stops"));
    }
  }

  private void findAndConnect(
      String domain, Profiles streams, Consumer<ServerStreamFailure> failed) {
    try {
      switch (addresses.find(domain)) {
        case Found.Targets(List<Target> targets, boolean authentic) ->
            connect(targets, streams, failed);
        case Found.NoSuchDomain() ->
            failed.accept(
                new ServerStreamFailure(
                    Reason.NO_SUCH_DOMAIN, "DNS has no XMPP server of " + domain));
        case Found.Unavailable(String reason) ->
            failed.accept(new ServerStreamFailure(Reason.UNREACHABLE, reason));
      }
    } catch (RuntimeException e) {
      failed.accept(new ServerStreamFailure(Reason.UNREACHABLE, "no attempt could be made: " + e));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // every outcome is handled
  private void connect(
      List<Target> targets, Profiles streams, Consumer<ServerStreamFailure> failed) {
    NetServer network = net;
    if (network == null) {
      failed.accept(new ServerStreamFailure(Reason.UNREACHABLE, "this server is starting"));
      return;
    }
    network
        .connect(targets, DialTimes.DEFAULTS, streams::profile)
        .whenComplete((connected, failure) -> {
          if (failure != null) {
            Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
            String text =
                cause instanceof ConnectFailure refused && refused.getMessage() != null
                    ? refused.getMessage()
                    : String.valueOf(cause);
            failed.accept(new ServerStreamFailure(Reason.UNREACHABLE, text));
          }
        });
  }
}
