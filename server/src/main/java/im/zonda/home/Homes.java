package im.zonda.home;

import im.zonda.cluster.node.Nodes;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The homes of one kind on this node, by their bare address. The first task for an address makes
/// its home; [#sweep] unloads homes that are not needed. Any thread may call.
///
/// @param <H> what a home holds
public final class Homes<H> {
  private static final Logger LOG = LoggerFactory.getLogger(Homes.class);

  /// Where homes are and how many are kept.
  ///
  /// @param nodes which homes are on this node, and the way to others
  /// @param workers runs what may block, each task on a thread of its own
  /// @param mailboxTasks how many tasks may wait at one home before streams are paused
  /// @param most this many more than were needed at the last sweep cause another
  /// @param load what waits at homes of all kinds together
  public record Setup(Nodes nodes, Executor workers, int mailboxTasks, int most, HomeLoad load) {
    /// Homes that have tasks of their own.
    public Setup(Nodes nodes, Executor workers, int mailboxTasks, int most) {
      this(nodes, workers, mailboxTasks, most, new HomeLoad());
    }
  }

  /// How often a home that received work while it was being unloaded is tried again.
  private static final int UNLOADING_ROUNDS = 5;

  private final Map<Jid, Mailbox<H>> mailboxes = new ConcurrentHashMap<>();
  private final Setup setup;
  private final HomeKind<H> kind;
  private final Mailbox.Setup<H> shared;
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /// More homes than this cause a sweep before its time.
  private volatile int crowded;

  private volatile boolean closed;

  /// Homes of that kind, none yet.
  public Homes(HomeKind<H> kind, Setup setup) {
    this.kind = kind;
    this.setup = setup;
    this.shared = new Mailbox.Setup<>(kind, setup.workers(), setup.mailboxTasks(), setup.load());
    this.crowded = setup.most();
  }

  /// Whether the home of `address` is on this node.
  public boolean isHere(Jid address) {
    return setup.nodes().view().isHere(address);
  }

  /// Whether there is a home of `address` on this node, or it is on another one.
  public boolean isLoadedOrElsewhere(Jid address) {
    return mailboxes.containsKey(address) || !isHere(address);
  }

  /// Brings a stanza to the home of `address`, wherever that is.
  ///
  /// @return false if the homes have been closed and the stanza was not accepted
  public boolean accept(Jid address, Envelope envelope) {
    if (!setup.nodes().forwarder().isDirect(address, envelope)) {
      setup.nodes().forwarder().forward(address, envelope);
      return true;
    }
    if (closed) {
      return false;
    }
    Envelope admitted = kind.admit(address, envelope);
    admitted.origin().hold();
    Mailbox<H> mailbox = mailbox(address);
    while (!mailbox.deliver(admitted)) {
      mailboxes.remove(address, mailbox);
      mailbox = mailbox(address);
    }
    return true;
  }

  /// Runs `task` at the home of `address`.
  ///
  /// @param flow the stream to pause while too much waits there, or null
  /// @return false if the home is on another node or the homes have been closed, and the task was
  ///   not accepted
  public boolean submit(Jid address, HomeTask<H> task, @Nullable InboundFlow flow) {
    if (closed) {
      return false;
    }
    if (!setup.nodes().view().isHere(address)) {
      return submitIfLoaded(address, task); // it will be unloaded here
    }
    Mailbox<H> mailbox = mailbox(address);
    while (!mailbox.submit(task, flow)) {
      mailboxes.remove(address, mailbox);
      mailbox = mailbox(address);
    }
    return true;
  }

  /// As [#submit], for a thread that has other things to do: it runs no task of the home but its
  /// own.
  public boolean submitAlone(Jid address, HomeTask<H> task) {
    if (closed) {
      return false;
    }
    if (!setup.nodes().view().isHere(address)) {
      return submitIfLoaded(address, task);
    }
    Mailbox<H> mailbox = mailbox(address);
    while (!mailbox.submitAlone(task)) {
      mailboxes.remove(address, mailbox);
      mailbox = mailbox(address);
    }
    return true;
  }

  /// Runs `task` at the home of `address` next, before what waits there. Only a task that runs
  /// there may call this, once: it is the rest of that task, which may block.
  public void submitNext(Jid address, HomeTask<H> task) {
    Mailbox<H> mailbox = mailboxes.get(address);
    if (mailbox == null) {
      throw new IllegalStateException("no home of " + address);
    }
    mailbox.submitNext(HomeTask.blocking(task));
  }

  /// Whether the caller runs within a task at the home of `address`.
  public boolean isRunningAt(Jid address) {
    Mailbox<H> mailbox = mailboxes.get(address);
    return mailbox != null && mailbox.isRunningHere();
  }

  /// Runs `task` at the home of `address` if there is one; otherwise does nothing and returns
  /// false.
  public boolean submitIfLoaded(Jid address, HomeTask<H> task) {
    Mailbox<H> mailbox = mailboxes.get(address);
    return mailbox != null && mailbox.submit(task, null);
  }

  private Mailbox<H> mailbox(Jid address) {
    Mailbox<H> mailbox = mailboxes.get(address);
    if (mailbox == null) {
      mailbox = mailboxes.computeIfAbsent(address, jid -> new Mailbox<>(jid, shared));
      sweepIfCrowded();
    }
    return mailbox;
  }

  /// The addresses of the homes, in no order.
  public List<Jid> addresses() {
    return List.copyOf(mailboxes.keySet());
  }

  /// How many homes there are.
  public int size() {
    return mailboxes.size();
  }

  /// Unloads the homes that are not needed and have nothing to do; to be called every few seconds.
  public void sweep() {
    boolean force = closed;
    mailboxes.values().removeIf(mailbox -> mailbox.retire(force));
  }

  /// Unloads these homes, which are on another node from now on, when they have done what waits
  /// there. Blocks.
  ///
  /// @param patience how long it waits, some times over
  /// @return how many homes were still busy in the end
  public long unload(Predicate<Jid> leaving, Duration patience) {
    List<Mailbox<H>> late = busyOf(leaving);
    for (int round = 0; round < UNLOADING_ROUNDS && !late.isEmpty(); round++) {
      CountDownLatch waiting = new CountDownLatch(late.size());
      for (Mailbox<H> each : late) {
        each.retireWhenIdle(() -> {
          mailboxes.remove(each.address(), each);
          waiting.countDown();
        });
      }
      boolean all = await(waiting, patience);
      late = busyOf(leaving);
      if (!all) {
        // It may return before they are idle, with sessions that must not be unloaded.
        late.forEach(Mailbox::stay);
        break;
      }
    }
    return late.size();
  }

  private List<Mailbox<H>> busyOf(Predicate<Jid> leaving) {
    mailboxes.values().removeIf(each -> leaving.test(each.address()) && each.retire(true));
    return mailboxes.values().stream().filter(each -> leaving.test(each.address())).toList();
  }

  private static boolean await(CountDownLatch latch, Duration patience) {
    try {
      return latch.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Accepts nothing more. What waits is still handled; each [#sweep] unloads every home that has
  /// nothing to do.
  public void close() {
    closed = true;
    sweep();
  }

  private void sweepIfCrowded() {
    if (mailboxes.size() > crowded && sweeping.compareAndSet(false, true)) {
      try {
        setup.workers().execute(this::sweepCrowd);
      } catch (RuntimeException | Error e) {
        sweeping.set(false);
        LOG.atError().setCause(e).log("homes_not_swept");
      }
    }
  }

  private void sweepCrowd() {
    try {
      sweep();
      crowded = mailboxes.size() + setup.most();
    } finally {
      sweeping.set(false);
    }
  }
}
