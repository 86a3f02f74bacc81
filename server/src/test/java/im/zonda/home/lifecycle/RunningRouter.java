package im.zonda.home.lifecycle;

import im.zonda.auth.EncryptedStanzaIds;
import im.zonda.cluster.Member;
import im.zonda.cluster.node.Nodes;
import im.zonda.cluster.placement.ClusterView;
import im.zonda.cluster.replica.ReplicaListener;
import im.zonda.cluster.replica.Replication;
import im.zonda.config.ServerConfig;
import im.zonda.config.limits.Limits;
import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.Dispatch;
import im.zonda.home.router.StanzaRouter;
import im.zonda.home.session.LocalSession;
import im.zonda.hook.Hook;
import im.zonda.hook.HostHandlers;
import im.zonda.hook.LateDelivery;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.link.ToStream;
import im.zonda.module.Declarations;
import im.zonda.module.Scheduler;
import im.zonda.runtime.TestRuntime;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import im.zonda.store.StoreException;
import im.zonda.store.StoreState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A router of `example.org` without modules, with threads of its own and time that the test moves.
public final class RunningRouter implements AutoCloseable {
  private record Timer(long due, Runnable task) {}

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int running;
  private final AtomicLong ids = new AtomicLong();
  private final StanzaIds stanzaIds = new EncryptedStanzaIds(new byte[32]);
  private final List<Timer> timers = new ArrayList<>();
  private long now = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private final MemoryStores stores = new MemoryStores(this::instant);
  private final Queue<Message> late = new ConcurrentLinkedQueue<>();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean readsFail;
  private volatile boolean loadsFail;
  private volatile boolean timersFail;
  private volatile @Nullable String unjudged;
  private volatile boolean marksFail;
  private volatile boolean evicted;
  private volatile long epoch;
  private volatile @Nullable StoreState state;
  private volatile CountDownLatch loads = new CountDownLatch(0);
  private final HostHandlers handlers = new HostHandlers();
  private final Dispatch host = new Dispatch(Jid.of("example.org"), new HostHandlers());
  public final StanzaRouter router;

  public RunningRouter(UnaryOperator<Limits> limits) {
    this(limits, Replication.NONE);
  }

  public RunningRouter(UnaryOperator<Limits> limits, Replication replication) {
    ServerConfig config = ServerConfig.defaults(List.of("example.org"), Path.of("unused"));
    router =
        new StanzaRouter(
            TestRecords.with(config, "limits", limits.apply(config.limits())),
            CountedReads.of(stores, this::load, this::countRead, () -> state),
            new Nodes(
                new View(),
                Nodes.NONE.forwarder(),
                replication,
                Nodes.NONE.sender(),
                Nodes.NONE.gate()),
            new TestRuntime()
                .ids(() -> "id" + ids.incrementAndGet())
                .clock(this::instant)
                .scheduler(this::schedule)
                .workers(this::execute)
                .build(),
            stanzaIds);
    LateDelivery marker =
        (message, time) -> {
          if (marksFail) {
            throw new IllegalStateException("the test's");
          }
          late.add(message);
          return message;
        };
    handlers.add(Declarations.LATE_DELIVERY, 0, marker, "test");
    handlers.add(
        Declarations.ARRIVING_MESSAGES,
        Phase.REFUSE.order(),
        (message, home, session) -> judge(message),
        "test");
    host.replace(handlers);
    host.limit(limits.apply(config.limits()).ofHost());
    router.open(host);
  }

  /// A router of a node in a cluster, without a standby.
  public static RunningRouter inCluster() {
    return new RunningRouter(limits -> limits, new NoStandby());
  }

  /// Replicates nothing, at once.
  private static final class NoStandby implements Replication {
    @Override
    public boolean hasStandby(Jid home) {
      return false;
    }

    @Override
    public void copy(
        Jid home, Map<String, byte @Nullable []> parts, @Nullable ReplicaListener listener) {
      if (listener != null) {
        listener.confirmed(true);
      }
    }
  }

  /// Declares something at the host, from now on.
  public <H> void declare(Hook<H> hook, int order, H handler) {
    handlers.add(hook, order, handler, "test");
    host.replace(handlers);
  }

  /// What is declared at the host.
  public Dispatch host() {
    return host;
  }

  /// A server without a cluster, or a node that was evicted.
  private final class View implements ClusterView {
    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public boolean isHere(Jid home) {
      return !evicted;
    }

    @Override
    public @Nullable Member homeOf(Jid home) {
      return null;
    }

    @Override
    public @Nullable Member self() {
      return null;
    }
  }

  /// The membership has that number.
  public void epoch(long number) {
    epoch = number;
  }

  /// This node was evicted: no home is here.
  void evict() {
    evicted = true;
  }

  private synchronized void execute(Runnable task) {
    running++;
    threads.execute(() -> {
      try {
        task.run();
      } finally {
        finished();
      }
    });
  }

  private synchronized void finished() {
    running--;
    notifyAll();
  }

  /// How many tasks run on the router's threads.
  public synchronized int running() {
    return running;
  }

  /// Waits until nothing runs on the router's threads, and nothing is to be run there.
  public synchronized void awaitIdle() {
    while (running > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public synchronized Instant instant() {
    return Instant.ofEpochMilli(now);
  }

  /// What is due already runs before anything that is done after it was asked for.
  private Scheduler.Cancellable schedule(Duration delay, Runnable task) {
    if (timersFail) {
      throw new RejectedExecutionException("the test's");
    }
    if (delay.isZero()) {
      task.run();
      return () -> {};
    }
    return later(delay, task);
  }

  private synchronized Scheduler.Cancellable later(Duration delay, Runnable task) {
    Timer timer = new Timer(now + delay.toMillis(), task);
    timers.add(timer);
    return () -> {
      synchronized (this) {
        timers.remove(timer);
      }
    };
  }

  /// Time passes; what is due runs on this thread.
  public void advance(Duration time) {
    List<Timer> due;
    synchronized (this) {
      now += time.toMillis();
      due = timers.stream().filter(timer -> timer.due <= now).toList();
      timers.removeAll(due);
    }
    due.forEach(timer -> timer.task.run());
  }

  /// Lets `seconds` seconds pass, one by one.
  void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      advance(Duration.ofSeconds(1));
      awaitIdle();
    }
  }

  /// Creates an account unless it exists.
  public void createAccount(Jid account) {
    stores.accounts().create(List.of(new Account(account, List.of(), instant())));
  }

  private void countRead() {
    reads.incrementAndGet();
    failIf(readsFail);
  }

  private void load() {
    try {
      loads.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    failIf(loadsFail);
  }

  private static void failIf(boolean fails) {
    if (fails) {
      throw new StoreException(StoreException.Category.UNAVAILABLE, "the test's", null);
    }
  }

  /// How often waiting messages were read from the log.
  public int reads() {
    return reads.get();
  }

  /// The messages that were marked as late.
  public List<Message> late() {
    return List.copyOf(late);
  }

  /// From now on, whether waiting messages cannot be read from the log.
  public void failReads(boolean now) {
    readsFail = now;
  }

  /// From now on, homes wait to be loaded until the result is run.
  public Runnable holdLoads() {
    CountDownLatch hold = new CountDownLatch(1);
    loads = hold;
    return hold::countDown;
  }

  /// From now on, whether no message can be marked as late.
  void failMarks(boolean now) {
    marksFail = now;
  }

  private Verdict judge(Message message) {
    if (TestStanzas.text(message).equals(unjudged)) {
      throw new IllegalStateException("the test's");
    }
    return Verdict.pass();
  }

  /// From now on, the filters fail for messages with that text.
  void failFilters(String text) {
    unjudged = text;
  }

  /// From now on, whether no timer can be set.
  void failTimers(boolean now) {
    timersFail = now;
  }

  /// From now on, whether no home can be loaded.
  public void failLoads(boolean now) {
    loadsFail = now;
  }

  /// From now on, whether the log says that nothing can be written.
  void failWrites(boolean now) {
    state =
        now
            ? new StoreState(
                StoreState.Kind.FAILING, instant(), StoreException.Category.UNAVAILABLE)
            : null;
  }

  /// The ids of messages.
  StanzaIds stanzaIds() {
    return stanzaIds;
  }

  /// The message log.
  public MessageLog log() {
    return stores.messages();
  }

  /// A new link, over which nothing has been said.
  public TestLink link(RecordingStream stream) {
    return new TestLink(router.sessions(), stream, this::createAccount);
  }

  /// A new session of `jid` on `stream`.
  public TestLink bind(Jid jid, RecordingStream stream) {
    TestLink link = link(stream);
    ToStream answer = link.bind(jid).join();
    if (!(answer instanceof ToStream.Bound)) {
      throw new AssertionError(answer);
    }
    return link;
  }

  /// Sends available presence, and sets it at the session: no module does that here.
  public void becomeAvailable(Jid jid, TestLink link) {
    sendPresence(jid, link);
    awaitIdle();
  }

  /// The same, without waiting until it has been handled.
  void sendPresence(Jid jid, TestLink link) {
    Presence presence = (Presence) TestStanzas.of("<presence/>");
    router
        .sessions()
        .registry()
        .submit(
            jid.bare(),
            false,
            home -> {
              LocalSession session = home.session(Objects.requireNonNull(jid.resource()));
              Objects.requireNonNull(session).presence(presence);
            });
    link.received(presence);
  }

  /// The session at that address, or null.
  public @Nullable LocalSession at(Jid jid) {
    CompletableFuture<@Nullable LocalSession> found = new CompletableFuture<>();
    router
        .sessions()
        .registry()
        .submit(
            jid.bare(),
            true,
            new HomeTask<AccountHome>() {
              @Override
              public void run(AccountHome home) {
                found.complete(home.session(Objects.requireNonNull(jid.resource())));
              }

              @Override
              public void failed(Throwable cause) {
                found.completeExceptionally(cause);
              }
            });
    return found.join();
  }

  @Override
  public void close() {
    threads.close();
  }
}
