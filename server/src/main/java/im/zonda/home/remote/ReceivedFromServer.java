package im.zonda.home.remote;

import im.zonda.home.remote.OpenStreams.OpenStream;
import im.zonda.jid.Jid;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The origin of a stanza that another server has sent. When nothing holds it, the stanza has been
/// handled, and the stream acknowledges it (XEP-0198). Without effect after the end of the stream.
final class ReceivedFromServer implements Origin {
  private final OpenStream stream;
  private final long number;
  private final long trace;
  private final long since = System.nanoTime();
  private final AtomicInteger held = new AtomicInteger(1);

  /// An origin that is held once.
  ///
  /// @param trace see [Origin#trace]
  ReceivedFromServer(OpenStream stream, long number, long trace) {
    this.stream = stream;
    this.number = number;
    this.trace = trace;
  }

  @Override
  public @Nullable Jid session() {
    return null;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public long since() {
    return since;
  }

  @Override
  public long trace() {
    return trace;
  }

  @Override
  public InboundFlow flow() {
    return stream;
  }

  @Override
  public boolean acknowledges() {
    return true;
  }

  @Override
  public void hold() {
    held.incrementAndGet();
  }

  @Override
  public void release() {
    int left = held.decrementAndGet();
    if (left == 0) {
      stream.link().handled(number);
    } else if (left < 0) {
      throw new IllegalStateException("released more often than held");
    }
  }
}
