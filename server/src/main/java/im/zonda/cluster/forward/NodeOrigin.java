package im.zonda.cluster.forward;

import im.zonda.jid.Jid;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The origin of a stanza that another node has forwarded: when nothing here holds it, it is
/// confirmed to that node.
public final class NodeOrigin implements Origin {
  private final @Nullable Jid session;
  private final long number;
  private final Cause cause;
  private final Runnable handled;
  private final long since = System.nanoTime();
  private final AtomicInteger holds = new AtomicInteger(1);

  /// What that node and the message log know about the stanza.
  ///
  /// @param identity see [Origin#identity]
  /// @param age see [Origin#age]
  /// @param entry see [Origin#entry]
  /// @param acknowledges see [Origin#acknowledges]
  /// @param trace see [Origin#trace]
  public record Cause(long identity, long age, long entry, boolean acknowledges, long trace) {
    /// What is known about a stanza that is not traced.
    public Cause(long identity, long age, long entry, boolean acknowledges) {
      this(identity, age, entry, acknowledges, 0);
    }
  }

  /// An origin that is held once.
  ///
  /// @param handled runs when nothing holds it
  public NodeOrigin(@Nullable Jid session, long number, Cause cause, Runnable handled) {
    this.session = session;
    this.number = number;
    this.cause = cause;
    this.handled = handled;
  }

  @Override
  public @Nullable Jid session() {
    return session;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public long identity() {
    return cause.identity();
  }

  @Override
  public long age() {
    return cause.age();
  }

  @Override
  public long entry() {
    return cause.entry();
  }

  @Override
  public long since() {
    return since;
  }

  @Override
  public long trace() {
    return cause.trace();
  }

  /// Null: the node that has forwarded the stanza bounds the stanzas of its streams.
  @Override
  public @Nullable InboundFlow flow() {
    return null;
  }

  @Override
  public boolean acknowledges() {
    return cause.acknowledges();
  }

  @Override
  public void hold() {
    holds.incrementAndGet();
  }

  @Override
  public void release() {
    int left = holds.decrementAndGet();
    if (left == 0) {
      handled.run();
    } else if (left < 0) {
      throw new IllegalStateException("released more often than held");
    }
  }
}
