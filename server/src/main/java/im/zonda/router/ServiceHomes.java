package im.zonda.router;

import im.zonda.config.Limits;
import im.zonda.jid.Jid;
import im.zonda.module.Custody;
import im.zonda.module.DomainService;
import im.zonda.module.Places;
import im.zonda.module.Scheduler;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.MessageLog.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The homes of one service's addresses. A home is opened by the first task for it and leaves when
/// its service can do without it and nothing waits.
///
/// @param <T> what lives at an address
final class ServiceHomes<T> implements Places<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceHomes.class);

  /// One address. `place` is set once, by the first task, and touched only from within the mailbox.
  private static final class Home<T> {
    private final Jid address;
    private final Mailbox mailbox;
    private @Nullable T place;

    private Home(Jid address, Mailbox mailbox) {
      this.address = address;
      this.mailbox = mailbox;
    }
  }

  private final Map<Jid, Home<T>> homes = new ConcurrentHashMap<>();
  private final DomainService<T> service;
  private final StanzaRouter router;
  private final Commits commits;
  private final Executor workers;
  private final Scheduler scheduler;
  private final Limits limits;
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /// More homes than this are a reason to sweep before the time comes.
  private volatile int crowd;

  ServiceHomes(
      DomainService<T> service,
      StanzaRouter router,
      Commits commits,
      Executor workers,
      Scheduler scheduler,
      Limits limits) {
    this.service = service;
    this.router = router;
    this.commits = commits;
    this.workers = workers;
    this.scheduler = scheduler;
    this.limits = limits;
    this.crowd = limits.homes();
  }

  /// Brings a stanza to the address that it is for. One for the domain itself is taken at once: IQ
  /// requests come here only where blocking is allowed.
  void route(Stanza stanza, @Nullable Origin origin) {
    Jid to = stanza.to();
    if (to == null || to.local() == null) {
      toDomain(stanza);
      return;
    }
    Custody custody = origin == null ? Custody.NONE : new Kept(origin);
    custody.begin();
    Work<T> work =
        new Work<>() {
          @Override
          public boolean mayBlock(T place) {
            return service.mayBlock(place, stanza);
          }

          @Override
          public void run(T place) {
            service.take(place, stanza, custody);
            custody.end();
          }

          @Override
          public void failed(Throwable cause) {
            router.stats().failed.increment();
            try {
              router.refuseAny(stanza, StanzaRouter.errorFor(cause));
            } finally {
              custody.end();
            }
          }
        };
    submit(to.bare(), origin == null ? null : origin.outbound(), work);
  }

  private void toDomain(Stanza stanza) {
    try {
      service.takeForDomain(stanza);
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("service", service.domain()).setCause(e).log("service_task_failed");
      router.stats().failed.increment();
      router.refuse(stanza, StanzaRouter.errorFor(e));
    }
  }

  @Override
  public void at(Jid address, boolean mayBlock, Consumer<T> task) {
    submit(address, null, work(mayBlock, task));
  }

  @Override
  public boolean ifOpen(Jid address, boolean mayBlock, Consumer<T> task) {
    Home<T> home = homes.get(address);
    return home != null && submit(home, null, work(mayBlock, task));
  }

  @Override
  public List<Jid> open() {
    return List.copyOf(homes.keySet());
  }

  /// Lets homes go that can be done without.
  void sweep() {
    homes.values().removeIf(home -> home.mailbox.retire(() -> canClose(home)));
  }

  private boolean canClose(Home<T> home) {
    T place = home.place;
    try {
      if (place != null && !service.canClose(place)) {
        return false;
      }
      if (place != null) {
        service.closed(place);
      }
      return true;
    } catch (RuntimeException e) {
      // The others can go all the same.
      LOG.atError().addKeyValue("home", home.address).setCause(e).log("home_not_closed");
      return false;
    }
  }

  private interface Work<T> {
    boolean mayBlock(T place);

    void run(T place);

    void failed(Throwable cause);
  }

  private static <T> Work<T> work(boolean mayBlock, Consumer<T> task) {
    return new Work<>() {
      @Override
      public boolean mayBlock(T place) {
        return mayBlock;
      }

      @Override
      public void run(T place) {
        task.accept(place);
      }

      @Override
      public void failed(Throwable cause) {
        // It has been logged; nobody waits for it.
        Objects.requireNonNull(cause);
      }
    };
  }

  private void submit(Jid address, @Nullable Outbound origin, Work<T> work) {
    while (true) {
      Home<T> home = homes.get(address);
      if (home == null) {
        home =
            homes.computeIfAbsent(
                address, jid -> new Home<>(jid, new Mailbox(workers, limits.mailboxTasks())));
        sweepIfCrowded();
      }
      if (submit(home, origin, work)) {
        return;
      }
      homes.remove(address, home);
    }
  }

  private boolean submit(Home<T> home, @Nullable Outbound origin, Work<T> work) {
    return home.mailbox.submit(new AtPlace(home, work), origin);
  }

  /// Work in the mailbox of its home. Opening what lives there may block, so where that has not
  /// been done, any work may.
  private final class AtPlace implements Mailbox.Task {
    private final Home<T> home;
    private final Work<T> work;

    private AtPlace(Home<T> home, Work<T> work) {
      this.home = home;
      this.work = work;
    }

    @Override
    public boolean mayBlock() {
      T place = home.place;
      return place == null || work.mayBlock(place);
    }

    @Override
    public void run() {
      T place = home.place;
      if (place == null) {
        place = service.open(home.address);
        home.place = place;
      }
      work.run(place);
    }

    @Override
    public void failed(Throwable cause) {
      LOG.atError().addKeyValue("home", home.address).setCause(cause).log("home_task_failed");
      work.failed(cause);
    }
  }

  /// Someone who writes to a great many addresses must not fill the memory between two sweeps.
  private void sweepIfCrowded() {
    if (homes.size() > crowd && sweeping.compareAndSet(false, true)) {
      try {
        workers.execute(this::sweepCrowd);
      } catch (RuntimeException | Error e) {
        sweeping.set(false);
        LOG.atError().setCause(e).log("homes_not_swept");
      }
    }
  }

  private void sweepCrowd() {
    try {
      sweep();
      crowd = homes.size() + limits.homes();
    } finally {
      sweeping.set(false);
    }
  }

  /// Where the stanza came from that is in someone's custody, or null.
  static @Nullable Origin originOf(Custody custody) {
    return custody instanceof ServiceHomes<?>.Kept kept ? kept.origin : null;
  }

  /// The responsibility for a stanza of a client.
  private final class Kept implements Custody {
    private final Origin origin;

    private Kept(Origin origin) {
      this.origin = origin;
    }

    @Override
    public void awaitCommit(Receipt receipt, Message message) {
      commits.await(receipt, message, origin);
      commits.slowDown(origin);
    }

    @Override
    public void slowDown(Duration time) {
      Outbound sender = origin.outbound();
      if (sender != null) {
        sender.pauseReading();
        scheduler.schedule(time, sender::resumeReading);
      }
    }

    @Override
    public void begin() {
      origin.begin();
    }

    @Override
    public void end() {
      origin.end();
    }
  }
}
