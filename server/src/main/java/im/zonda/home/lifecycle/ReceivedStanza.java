package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.route.Tracing;
import im.zonda.session.ClientConnection;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.StanzaIdentity;
import im.zonda.trace.Verdict;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/// A client's stanza on its way through the server: the task that handles it at its sender's home,
/// and the origin of all that it causes.
///
/// When all that it causes has ended, on any thread, the stanza has been handled (XEP-0198): it is
/// counted in the mailbox of the sender's home, by the same task run once more. A stanza with the
/// number 0 came on a stream without stream management and is not counted.
final class ReceivedStanza implements HomeTask<AccountHome>, Origin {
  private static final AtomicIntegerFieldUpdater<ReceivedStanza> PENDING =
      AtomicIntegerFieldUpdater.newUpdater(ReceivedStanza.class, "pending");

  private final SessionLifecycle sessions;
  private final HomeLink link;
  private final Jid account;
  private final long number;
  private final long since = System.nanoTime();
  private final boolean message;

  /// Null once the home has handled it.
  private @Nullable Stanza stanza;

  /// The session that counts it; null before the home has accepted it, or if no session counts it.
  private @Nullable LocalSession session;

  @SuppressWarnings("UnusedVariable") // through PENDING
  private volatile int pending = 1;

  /// [Origin#age], in ms.
  private int age;

  /// [Origin#trace].
  private long trace;

  ReceivedStanza(
      SessionLifecycle sessions, HomeLink link, Jid account, Stanza stanza, long number) {
    this.sessions = sessions;
    this.link = link;
    this.account = account;
    this.stanza = stanza;
    this.number = number;
    this.message = stanza instanceof Message;
  }

  /// The account of the sender.
  Jid account() {
    return account;
  }

  /// The session that counts it, or null.
  @Nullable LocalSession countedBy() {
    return session;
  }

  /// Whether it is a message.
  boolean isMessage() {
    return message;
  }

  // ---- at the home

  @Override
  public boolean mayBlock(AccountHome home) {
    Stanza waiting = stanza;
    return waiting != null
        && (sessions.mayBlock(home, waiting) || (number > 0 && sessions.age(link.session()) > 0));
  }

  @Override
  public void run(AccountHome home) {
    Stanza taken = stanza;
    if (taken == null) {
      sessions.handled(this);
      return;
    }
    sessions.registry().stats().measureWait(System.nanoTime() - since);
    LocalSession from = link.session();
    if (from == null || (number > 0 && !from.isOn(link))) {
      // Nothing was bound; or the client sends it again on its new stream, or its session has
      // ended.
      stanza = null;
      return;
    }
    if (number > 0) {
      from.arrived(number);
      session = from;
      age = sessions.age(from);
    }
    Tracing tracing = tracing();
    if (tracing.on()) {
      trace = trace(tracing, from, taken);
    }
    sessions.accept(home, from, taken, this);
    stanza = null;
    release();
  }

  private Tracing tracing() {
    return sessions.registry().routes().errors().tracing();
  }

  private long trace(Tracing tracing, LocalSession from, Stanza taken) {
    ClientConnection connection = from.get(ClientConnection.KEY);
    Tracing.Arrival arrival =
        new Tracing.Arrival(
            Place.STREAM,
            connection == null ? null : connection.address(),
            System.nanoTime() - since,
            from.jid().resource());
    Jid to = taken.to() == null ? account : taken.to();
    return tracing.received(taken.withAddresses(from.jid(), to), identity(), arrival);
  }

  @Override
  public void failed(Throwable cause) {
    Stanza taken = stanza;
    if (taken == null) {
      // The stanza was handled and could not be counted: the session must end.
      sessions.countFailed(link);
      return;
    }
    stanza = null;
    if (number > 0 && session == null) {
      sessions.countFailed(link);
      return;
    }
    try {
      sessions.takeFailed(link, taken, cause);
    } finally {
      release();
    }
  }

  // ---- as an origin

  @Override
  public @Nullable Jid session() {
    LocalSession from = link.session();
    return from == null ? null : from.jid();
  }

  @Override
  public long number() {
    return number;
  }

  /// Derived from the session's resumption id and the number, as the client sends the stanza again
  /// with the same number.
  @Override
  public long identity() {
    LocalSession from = session;
    String id = from == null ? null : from.resumptionId();
    return id == null ? 0 : StanzaIdentity.of(id, number);
  }

  @Override
  public long age() {
    return age;
  }

  @Override
  public long trace() {
    return trace;
  }

  @Override
  public long since() {
    return since;
  }

  @Override
  public InboundFlow flow() {
    return link;
  }

  @Override
  public boolean acknowledges() {
    return number > 0;
  }

  @Override
  public void hold() {
    if (number > 0) {
      PENDING.incrementAndGet(this);
    }
  }

  @Override
  public void release() {
    if (number == 0) {
      return;
    }
    int left = PENDING.decrementAndGet(this);
    if (left == 0) {
      tracing().step(trace, Place.STREAM, Verdict.HANDLED, null);
      sessions.finished(this);
    } else if (left < 0) {
      throw new IllegalStateException("released more often than held");
    }
  }
}
