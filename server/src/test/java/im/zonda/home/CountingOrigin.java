package im.zonda.home;

import im.zonda.jid.Jid;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// An origin that counts who holds its stanza.
public final class CountingOrigin implements Origin {
  final AtomicInteger held = new AtomicInteger();
  private final @Nullable InboundFlow flow;

  public CountingOrigin(@Nullable InboundFlow flow) {
    this.flow = flow;
  }

  @Override
  public Jid session() {
    return Jid.of("romeo@example.org/orchard");
  }

  @Override
  public long number() {
    return 1;
  }

  @Override
  public @Nullable InboundFlow flow() {
    return flow;
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
    held.decrementAndGet();
  }
}
