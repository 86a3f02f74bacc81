package im.zonda.cluster.handover;

import im.zonda.cluster.channel.LocalMember;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.placement.Placement;
import im.zonda.cluster.port.NodeSetup;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Prevents homes from opening while a process outside the placement can write: the node agrees to
/// the opening of its own segments only when the fence is raised. Confined to the node's inbox.
public final class Fencing {
  private static final Logger LOG = LoggerFactory.getLogger(Fencing.class);

  private final LocalMember node;
  private final NodeSetup setup;
  private final Segments segments;
  private final Consumer<Runnable> inbox;

  /// Whether homes wait for the fence because it could not be raised.
  private boolean waiting;

  /// @param inbox takes tasks from other threads
  public Fencing(LocalMember node, NodeSetup setup, Segments segments, Consumer<Runnable> inbox) {
    this.node = node;
    this.setup = setup;
    this.segments = segments;
    this.inbox = inbox;
  }

  /// Raises the fence of a placement if segments are to open.
  public void raise(Placement next) {
    waiting = false;
    if (!segments.gated().isEmpty()) {
      setup
          .workers()
          .execute(() -> {
            boolean raised = isRaised(next);
            inbox.accept(() -> raised(next, raised));
          });
    }
  }

  /// Raises the fence; a defect is a failure, so that it is tried again.
  private boolean isRaised(Placement next) {
    try {
      return setup.fence().raise(setup.self(), next);
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).log("fence_not_raised");
      return false;
    }
  }

  private void raised(Placement then, boolean raised) {
    if (then == node.placement()) {
      waiting = !raised;
      if (raised) {
        segments
            .gated()
            .forEach(segment -> node.send(setup.self(), new NodeValue.Collect(segment)));
      }
    }
  }

  /// Tries again after a failure; to be called a few times a second.
  public void tick() {
    Placement current = node.placement();
    if (waiting && current != null) {
      raise(current);
    }
  }
}
