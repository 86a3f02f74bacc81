package im.zonda.home;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The serial executor of one home: runs tasks and handles stanzas one at a time, in the order in
/// which they were submitted.
///
/// An idle mailbox runs what cannot block at once, on the caller's thread; everything else is
/// queued and drained by a worker (a virtual thread). Whether something may block is asked inside
/// the mailbox, immediately before it runs, and so is whether the home is loaded: the first task
/// loads it. Nothing is ever dropped: while more than the limit wait, the streams of those who
/// submit are paused, until half of it is done.
///
/// No exception or error leaves the mailbox busy: a task that throws is notified and the next one
/// runs, and so does a task that needs a worker when there is none.
///
/// @param <H> what the home holds
final class Mailbox<H> {
  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

  /// Tasks of others that an inline run takes over before it gives the rest to a worker, so that a
  /// busy home does not hold an event loop.
  private static final int INLINE_BUDGET = 16;

  /// What all mailboxes of one kind of home share.
  ///
  /// @param kind loads the home and handles its stanzas
  /// @param workers runs what may block
  /// @param limit how many tasks may wait before streams are paused
  /// @param load what waits, at all homes together
  record Setup<H>(HomeKind<H> kind, Executor workers, int limit, HomeLoad load) {}

  private final Jid address;
  private final Setup<H> setup;

  /// Null while the home is not loaded. Used by the thread that has made the mailbox busy.
  private @Nullable H home;

  // Guarded by this object's monitor.
  private boolean busy;
  private boolean retired;
  private @Nullable Backlog backlog;

  /// Called when the mailbox has ended; null while it is not to end.
  private @Nullable Runnable ended;

  /// The thread that runs a task. Needs no guard: a thread finds itself here only if it is the one.
  private @Nullable Thread runner;

  /// What waits in a mailbox that is busy, oldest first, and the streams that are paused because it
  /// is too much; there is one only while something waits. An entry is an Envelope or a
  /// HomeTask<H>: a wrapper for both would cost an object for each stanza.
  private static final class Backlog {
    final Deque<Object> entries = new ArrayDeque<>(4);
    @Nullable List<InboundFlow> paused;
  }

  Mailbox(Jid address, Setup<H> setup) {
    this.address = address;
    this.setup = setup;
  }

  /// Runs `task` after everything submitted before; on the caller's thread only if it cannot block.
  ///
  /// @param flow the stream to pause while too much waits, or null
  /// @return false if the mailbox has retired and the task was not accepted
  boolean submit(HomeTask<H> task, @Nullable InboundFlow flow) {
    return enter(task, flow, INLINE_BUDGET);
  }

  /// As [#submit(HomeTask, InboundFlow)], for a thread that has other things to do, such as the
  /// writer of the database: it runs no task but its own.
  boolean submitAlone(HomeTask<H> task) {
    return enter(task, null, 0);
  }

  /// The address of the home.
  Jid address() {
    return address;
  }

  /// Whether the caller runs within a task of this mailbox.
  boolean isRunningHere() {
    return Thread.currentThread().equals(runner);
  }

  /// Has the home handle a stanza, which its sender holds ([im.zonda.module.Origin#hold]); the
  /// mailbox releases it.
  ///
  /// @return false if the mailbox has retired and the stanza was not accepted
  boolean deliver(Envelope envelope) {
    return enter(envelope, envelope.origin().flow(), INLINE_BUDGET);
  }

  private boolean enter(Object entry, @Nullable InboundFlow flow, int others) {
    synchronized (this) {
      if (retired) {
        return false;
      }
      if (busy) {
        Backlog waiting = openBacklog();
        waiting.entries.add(entry);
        setup.load().waiting().increment();
        if (flow != null && waiting.entries.size() > setup.limit()) {
          pause(flow, waiting);
        }
        return true;
      }
      busy = true;
    }
    if (mayBlock(entry)) {
      handOver(entry);
    } else {
      run(entry);
      takeOver(others);
    }
    return true;
  }

  /// Runs `task` next, before what waits: the rest of the task that is running, which alone may
  /// call this, and once.
  void submitNext(HomeTask<H> task) {
    if (!isRunningHere()) {
      throw new IllegalStateException("not within a task of this mailbox");
    }
    synchronized (this) {
      openBacklog().entries.addFirst(task);
      setup.load().waiting().increment();
    }
  }

  /// Called with the monitor held.
  private Backlog openBacklog() {
    Backlog waiting = backlog;
    if (waiting == null) {
      waiting = new Backlog();
      backlog = waiting;
    }
    return waiting;
  }

  /// Ends the mailbox if nothing waits or runs and its home can be unloaded; every later [#submit]
  /// is rejected. It is busy while the home is unloaded, which may submit stanzas to this home and
  /// others: what comes meanwhile runs afterwards, with the home loaded again.
  ///
  /// @param force whether the home is unloaded without asking its kind
  boolean retire(boolean force) {
    synchronized (this) {
      if (busy) {
        return false;
      }
      busy = true;
    }
    if (end(force)) {
      return true;
    }
    Object next = pollOrBecomeIdle();
    if (next != null) {
      handOver(next);
    }
    return false;
  }

  /// Ends the mailbox as soon as nothing waits or runs, as [#retire] does with `force`: the thread
  /// that has done the last task unloads the home.
  ///
  /// @param ended called once, by that thread, without the monitor; must not block
  void retireWhenIdle(Runnable ended) {
    boolean over;
    synchronized (this) {
      over = retired;
      if (!over) {
        this.ended = ended;
        if (busy) {
          return;
        }
        busy = true;
      }
    }
    if (over) {
      ended.run();
      return;
    }
    Object next = pollOrBecomeIdle();
    if (next != null) {
      handOver(next);
    }
  }

  /// Takes back [#retireWhenIdle], unless the mailbox has ended.
  synchronized void stay() {
    ended = null;
  }

  /// Ends the busy mailbox if its home can be unloaded and nothing waits then.
  private boolean end(boolean force) {
    boolean unloaded = unload(force);
    Runnable told;
    synchronized (this) {
      if (!unloaded || backlog != null) {
        return false;
      }
      retired = true;
      told = ended;
      ended = null;
    }
    if (told != null) {
      told.run();
    }
    return true;
  }

  private boolean unload(boolean force) {
    H last = home;
    try {
      if (last != null) {
        if (!force && !setup.kind().canUnload(last)) {
          return false;
        }
        home = null;
        setup.kind().unloaded(last);
      }
    } catch (RuntimeException | Error e) {
      // One home that fails must not keep others from being unloaded.
      LOG.atError().addKeyValue("home", address).setCause(e).log("home_not_unloaded");
    }
    return home == null;
  }

  /// After an inline run: runs what others queued meanwhile, as long as it cannot block.
  private void takeOver(int others) {
    for (int budget = others; ; budget--) {
      Object next = pollOrBecomeIdle();
      if (next == null) {
        return;
      }
      if (budget == 0 || mayBlock(next)) {
        handOver(next);
        return;
      }
      run(next);
    }
  }

  /// Has a worker run `first` and then what waits.
  private void handOver(Object first) {
    try {
      setup.workers().execute(() -> drain(first));
    } catch (RuntimeException | Error e) {
      runWithoutWorker(first, e);
    }
  }

  private void drain(Object first) {
    for (Object next = first; next != null; next = pollOrBecomeIdle()) {
      run(next);
    }
  }

  /// There is no worker: what may block fails, what cannot block runs here.
  private void runWithoutWorker(Object first, Throwable cause) {
    for (Object next = first; next != null; next = pollOrBecomeIdle()) {
      if (mayBlock(next)) {
        finish(next, fail(next, cause));
      } else {
        run(next);
      }
    }
  }

  /// The next entry; null if there is none, and the mailbox is idle then, or has ended.
  private @Nullable Object pollOrBecomeIdle() {
    Object next;
    List<InboundFlow> paused;
    synchronized (this) {
      Backlog waiting = backlog;
      if (waiting == null && ended == null) {
        busy = false;
        return null;
      }
      next = waiting == null ? null : pollFrom(waiting);
      paused = waiting == null ? null : toResume(waiting);
    }
    if (paused != null) {
      // Without the monitor: a stream may submit at once what it reads, to other homes, too.
      paused.forEach(Mailbox::resume);
    }
    if (next != null) {
      return next;
    }
    return end(true) ? null : pollOrBecomeIdle();
  }

  /// Called with the monitor held, while something waits.
  private @Nullable Object pollFrom(Backlog waiting) {
    Object next = waiting.entries.poll();
    setup.load().waiting().decrement();
    if (waiting.entries.isEmpty()) {
      backlog = null;
    }
    return next;
  }

  /// The streams that are read from again; called with the monitor held.
  private @Nullable List<InboundFlow> toResume(Backlog waiting) {
    List<InboundFlow> paused = waiting.entries.size() <= setup.limit() / 2 ? waiting.paused : null;
    if (paused != null) {
      waiting.paused = null;
      setup.load().disperse(address);
    }
    return paused;
  }

  private synchronized int tasks() {
    return backlog == null ? 0 : backlog.entries.size();
  }

  private synchronized int pausedStreams() {
    return backlog == null || backlog.paused == null ? 0 : backlog.paused.size();
  }

  @SuppressWarnings("unchecked") // submit takes nothing else
  private HomeTask<H> task(Object entry) {
    return (HomeTask<H>) entry;
  }

  // ---- what must not throw

  private boolean mayBlock(Object entry) {
    H loaded = home;
    if (loaded == null) {
      return true;
    }
    try {
      return entry instanceof Envelope envelope
          ? setup.kind().mayBlock(loaded, envelope)
          : task(entry).mayBlock(loaded);
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("home_task_not_judged");
      return true;
    }
  }

  private void run(Object entry) {
    boolean handled = true;
    runner = Thread.currentThread();
    try {
      H loaded = home;
      if (loaded == null) {
        loaded = setup.kind().load(address);
        home = loaded;
      }
      try {
        if (entry instanceof Envelope envelope) {
          setup.kind().accept(loaded, envelope);
        } else {
          task(entry).run(loaded);
        }
      } finally {
        if (!setup.kind().isLasting(loaded)) {
          home = null;
        }
      }
    } catch (Throwable e) {
      handled = fail(entry, e);
    }
    finish(entry, handled);
    runner = null;
  }

  /// False if the stanza stays held.
  private boolean fail(Object entry, Throwable cause) {
    try {
      if (cause instanceof StoreException store
          && (store.retryable() || store.category() == StoreException.Category.CLOSED)) {
        // Many tasks fail while the store does, which is logged as an error of its own, and while
        // it
        // is closed, also because this node is fenced.
        LOG.atWarn()
            .addKeyValue("home", address)
            .addKeyValue("store", store.category())
            .addKeyValue("reason", store.getMessage())
            .log("home_task_failed");
      } else if (cause instanceof Stores.MissingOwnerException) {
        LOG.atWarn().addKeyValue("reason", cause.getMessage()).log("home_task_failed");
      } else {
        LOG.atError().addKeyValue("home", address).setCause(cause).log("home_task_failed");
      }
      if (entry instanceof Envelope envelope) {
        return setup.kind().failed(envelope, cause);
      }
      task(entry).failed(cause);
    } catch (Throwable e) {
      e.addSuppressed(cause);
      LOG.atError().setCause(e).log("home_task_failure_not_handled");
    }
    return true;
  }

  private void finish(Object entry, boolean handled) {
    if (entry instanceof Envelope envelope) {
      try {
        setup.kind().finished(envelope);
      } catch (Throwable e) {
        LOG.atError().addKeyValue("home", address).setCause(e).log("home_task_not_finished");
      }
      if (!handled) {
        return;
      }
      try {
        envelope.origin().release();
      } catch (Throwable e) {
        LOG.atError().addKeyValue("home", address).setCause(e).log("stanza_not_released");
      }
    }
  }

  private void pause(InboundFlow flow, Backlog waiting) {
    List<InboundFlow> paused = waiting.paused;
    if (paused == null) {
      paused = new ArrayList<>(2);
      waiting.paused = paused;
      setup.load().crowd(address, this::tasks, this::pausedStreams);
    }
    if (!paused.contains(flow)) {
      try {
        flow.pauseReading();
        setup.load().pauses().increment();
        paused.add(flow);
      } catch (RuntimeException | Error e) {
        LOG.atError().setCause(e).log("reading_not_paused");
      }
    }
  }

  private static void resume(InboundFlow flow) {
    try {
      flow.resumeReading();
    } catch (RuntimeException | Error e) {
      LOG.atError().setCause(e).log("reading_not_resumed");
    }
  }
}
