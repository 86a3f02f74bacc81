package im.zonda.home.lifecycle;

import im.zonda.home.HomeTask;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.delivery.CatchUp;
import im.zonda.home.delivery.OutboundStanzas;
import im.zonda.home.recovery.HeldStanzas;
import im.zonda.home.recovery.SessionReplication;
import im.zonda.home.session.Budget;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SessionHomes;
import im.zonda.home.session.SessionPhase;
import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.StreamManagementState;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.link.LostSession;
import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.ErrorReplies;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The sessions of all accounts: submits the values of the streams' links to the homes, which do
/// all work with sessions.
public final class Sessions implements SessionGate, SessionHomes, SessionLifecycle {
  private final AccountRegistry registry;
  private final OutboundStanzas outbound;
  private final CatchUp catchUp;
  private final HeldStanzas held;
  private final Budget<LocalSession> budget;
  private final Resumption resumption;
  private final SessionReplication replication;
  private final SessionBinding binding;
  private final SessionSaving saving;
  private final SessionMoves moves;
  private final SessionRecovery rebuilding;

  /// @param budget counts the sessions
  public Sessions(
      AccountRegistry registry,
      SessionContext context,
      Budget<LocalSession> budget,
      OutboundStanzas outbound,
      CatchUp catchUp) {
    this.registry = registry;
    this.outbound = outbound;
    this.catchUp = catchUp;
    this.held = context.recovery().heldStanzas();
    this.budget = budget;
    this.replication = context.recovery().replication();
    this.resumption = new Resumption(this, context, budget);
    this.binding = new SessionBinding(this, context.runtime().ids(), catchUp, resumption);
    RestoredSessions restored = new RestoredSessions(registry, resumption, context, catchUp);
    SessionSteps steps = new SessionSteps(registry);
    this.saving = new SessionSaving(this, context, steps);
    this.moves = new SessionMoves(this, resumption, restored, context, steps);
    this.rebuilding = new SessionRecovery(registry, resumption, context, outbound, restored);
    budget.whenExceeded(new SharedBound(budget, registry, binding, context.runtime())::exceeded);
  }

  @Override
  public SessionEnd open(StreamEnd stream) {
    return new HomeLink(this, stream);
  }

  // ---- values, by the threads of the streams

  @Override
  public void bind(HomeLink link, ToSession.Bind bind) {
    if (registry.host(bind.account()) == null) {
      link.stream().receive(new ToStream.NotBound(ErrorCondition.ITEM_NOT_FOUND));
      return;
    }
    if (!registry.submit(bind.account(), binding.task(link, bind), link)) {
      link.stream().receive(new ToStream.NotBound(ErrorCondition.INTERNAL_SERVER_ERROR));
    }
  }

  @Override
  public void resume(HomeLink link, ToSession.Resume resume) {
    resume(link, resume.account(), resumption.task(link, resume));
  }

  @Override
  public void recover(HomeLink link, LostSession lost) {
    resume(link, lost.jid().bare(), rebuilding.task(link, lost));
  }

  private void resume(HomeLink link, Jid account, HomeTask<AccountHome> task) {
    if (registry.host(account) == null) {
      link.stream().receive(new ToStream.SessionNotFound(null));
    } else if (!registry.submit(account, task, link)) {
      link.stream().receive(new ToStream.Unsettled());
    }
  }

  @Override
  public void received(HomeLink link, Jid account, ToSession.Received received) {
    registry.submit(
        account,
        new ReceivedStanza(this, link, account, received.stanza(), received.number()),
        link);
  }

  @Override
  public void submit(HomeLink link, Jid account, ToSession value) {
    registry.submit(
        account,
        new HomeTask<>() {
          @Override
          public void run(AccountHome home) {
            handle(home, link, value);
          }

          @Override
          public void failed(Throwable cause) {
            countFailed(link);
          }
        },
        link);
  }

  // ---- values, at the home

  private void handle(AccountHome home, HomeLink link, ToSession value) {
    LocalSession session = link.session();
    if (session == null) {
      return;
    }
    if (value instanceof ToSession.Written(long number)) {
      session.outgoing().written(number);
    } else if (session.isOn(link)) {
      handle(home, session, link, value);
    }
  }

  private void handle(AccountHome home, LocalSession session, HomeLink link, ToSession value) {
    switch (value) {
      case ToSession.Enable(boolean resumable) -> resumption.enable(session, link, resumable);
      case ToSession.HandledByStream(long number, Stanza reply) -> {
        if (reply != null) {
          session.send(reply);
        }
        if (number > 0) {
          session.arrived(number);
          finished(session, number);
        }
      }
      case ToSession.Acknowledged(long h) -> session.acknowledged(h);
      case ToSession.Active(boolean active) -> binding.active(home, session, active);
      case ToSession.EnablingOver() -> {
        if (session.awaitsFirstStanza()) {
          catchUp.firstStanzaSeen(home, session);
        }
      }
      case ToSession.Lost() -> binding.lost(home, session);
      case ToSession.Ended() -> binding.end(home, session);
      default -> throw new IllegalStateException("not for a session that is bound: " + value);
    }
  }

  @Override
  public void replaced(AccountHome home, Jid session) {
    held.replaced(home, session);
  }

  @Override
  public int age(@Nullable LocalSession session) {
    StreamManagementState management = session == null ? null : session.management();
    return management == null || !management.hasPossiblyHandled() ? 0 : resumption.age(management);
  }

  @Override
  public boolean mayBlock(AccountHome home, Stanza stanza) {
    return outbound.mayBlock(home, stanza);
  }

  @Override
  public void accept(AccountHome home, LocalSession session, Stanza stanza, Origin origin) {
    Stanza stamped = stanza.withAddresses(session.jid(), stanza.to());
    outbound.accept(home, session, new Envelope(stamped, origin, null));
  }

  @Override
  public void takeFailed(HomeLink link, Stanza stanza, Throwable cause) {
    registry.stats().failed.increment();
    LocalSession session = link.session();
    if (session != null) {
      registry.refuse(
          stanza.withAddresses(session.jid(), stanza.to()), ErrorReplies.errorFor(cause));
    }
  }

  @Override
  public AccountRegistry registry() {
    return registry;
  }

  @Override
  public void countFailed(SessionPhase.Link link) {
    link.stream().receive(new ToStream.Close(StreamErrorCondition.INTERNAL_SERVER_ERROR, null));
  }

  @Override
  public void finished(ReceivedStanza stanza) {
    if (stanza.isMessage()) {
      registry.stats().measureAcknowledged(System.nanoTime() - stanza.since());
    }
    LocalSession session = stanza.countedBy();
    if (session == null) {
      return;
    }
    if (registry.isRunningAt(stanza.account())) {
      finished(session, stanza.number());
    } else if (!registry.submitAlone(stanza.account(), stanza)) {
      movedOn(session, stanza.number());
    }
  }

  /// The session is on another node, where the stanza is to be counted.
  private void movedOn(LocalSession session, long number) {
    String id = session.phase() == SessionPhase.Moved.MOVED ? session.resumptionId() : null;
    if (id != null) {
      registry.homes().nodes().forwarder().handled(session.jid().bare(), id, number);
    }
  }

  @Override
  public void handled(ReceivedStanza stanza) {
    LocalSession session = stanza.countedBy();
    if (session != null) {
      finished(session, stanza.number());
    }
  }

  private void finished(LocalSession session, long number) {
    StreamManagementState management = session.management();
    if (session.phase() == SessionPhase.Moved.MOVED) {
      movedOn(session, number);
      return;
    }
    if (management == null
        || !management.counts(number)
        || !management.handled().finished(number)) {
      return;
    }
    if (session.isDetached()) {
      replication.changed(session);
    }
    Runnable settled = management.takeSettled();
    if (settled != null) {
      registry.submit(session.jid().bare(), false, _ -> settled.run());
    }
    SessionPhase phase = session.phase();
    if (phase instanceof SessionPhase.Attached(var link)) {
      replication.handled(session, management, link);
    } else if (phase instanceof SessionPhase.Resuming && management.handled().isSettled()) {
      // In a task of its own: the caller may be the writer of the database.
      registry.submit(session.jid().bare(), false, _ -> resumption.settled(session));
    }
  }

  @Override
  public void noRoom(LocalSession session) {
    registry.submit(session.jid().bare(), false, home -> binding.noRoom(home, session));
  }

  @Override
  public void phaseIllegal(LocalSession session) {
    registry.submit(
        session.jid().bare(),
        false,
        home -> binding.close(home, session, StreamErrorCondition.INTERNAL_SERVER_ERROR, null));
  }

  @Override
  public void notTaken(Stanza stanza) {
    if (stanza instanceof Iq iq) {
      registry.refuse(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
  }

  @Override
  public void unacknowledged(AccountHome home, Message message) {
    if (home.exists()) {
      ErrorReplies errors = registry.routes().errors();
      errors.record(Envelope.of(message), Place.SESSION, Reason.SESSION_EXPIRED, null);
    } else {
      registry.refuse(message, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
  }

  @Override
  public void sendState(LocalSession session) {
    registry.submit(session.jid().bare(), false, _ -> session.sendState());
  }

  @Override
  public void changed(LocalSession session) {
    replication.changed(session);
  }

  @Override
  public void endDetached(LocalSession session) {
    registry.submit(
        session.jid().bare(),
        false,
        home -> {
          if (session.isDetached()) {
            binding.end(home, session);
          }
        });
  }

  @Override
  public void lost(AccountHome home, LocalSession session) {
    binding.lost(home, session);
  }

  @Override
  public void expire(LocalSession session, SessionPhase.Detached detached) {
    registry.submit(
        session.jid().bare(),
        false,
        home -> {
          if (detached.equals(session.phase())) {
            registry.stats().expired.increment();
            binding.end(home, session);
          }
        });
  }

  /// The host is removed: the account's sessions end. At the home.
  public void endAll(AccountHome home) {
    binding.endAll(home);
  }

  /// Called before the home moves to another node: its sessions lose their streams. At the home.
  public void detachAll(AccountHome home) {
    binding.detachAll(home);
  }

  @Override
  public void end(AccountHome home, LocalSession session) {
    binding.end(home, session);
  }

  /// The account was removed: its sessions end. At the home.
  public void forget(AccountHome home) {
    binding.forget(home);
  }

  /// What stream management needs.
  Resumption resumption() {
    return resumption;
  }

  @Override
  public List<LocalSession> all() {
    return List.copyOf(budget.sessions());
  }

  /// The number of sessions.
  ///
  /// @param online those with a stream
  /// @param detached those whose stream is lost and that can be resumed (XEP-0198)
  public record Counts(int online, int detached) {}

  /// How many sessions there are. Any thread may call; approximate while some change.
  public Counts counts() {
    int detached = budget.detached();
    return new Counts(Math.max(0, budget.sessions().size() - detached), detached);
  }

  /// The sessions that can be resumed, to be restored when the server has started again. The
  /// network must have been stopped. Blocks.
  public List<SessionSnapshot> save() {
    return saving.save();
  }

  /// Removes the sessions of these accounts from their homes: they move to another node. Blocks.
  public List<SessionSnapshot> take(Predicate<Jid> accounts) {
    return moves.take(accounts);
  }

  /// Keeps a session that has moved here until its home takes it. Returns at once.
  public void restore(SessionSnapshot snapshot) {
    moves.restore(snapshot);
  }

  /// Homes are open here: they take the sessions that have arrived for them. Returns at once.
  public void opened() {
    moves.opened();
  }

  /// No stanza of the session is in progress now: continues it on the stream that waits for it. At
  /// the home.
  public void settled(LocalSession session) {
    resumption.settled(session);
  }

  /// A stanza of a session that has moved here has been handled by another node.
  ///
  /// @param id the id of the session, hashed
  public void handled(Jid account, String id, long number) {
    boolean accepted =
        registry.submit(
            account,
            home -> {
              LocalSession session = home.sessionById(id);
              StreamManagementState management = session == null ? null : session.management();
              if (session == null || management == null) {
                passOn(account, id, number);
              } else if (management.handled().isPending(number)) {
                finished(session, number);
              }
            },
            null);
    if (!accepted) {
      passOn(account, id, number);
    }
  }

  /// The session has moved on before its stanza could be counted here, unless it has ended.
  private void passOn(Jid account, String id, long number) {
    if (!registry.homes().nodes().view().isHere(account)) {
      registry.homes().nodes().forwarder().handled(account, id, number);
    }
  }

  /// The home has been loaded: it takes the sessions that have moved here.
  public void loaded(AccountHome home) {
    moves.loaded(home);
  }

  /// Restores sessions that were saved, before any stream can resume them.
  public void restore(List<SessionSnapshot> sessions) {
    moves.restore(sessions);
  }

  /// What is kept for clients, and who acknowledges late.
  public Budget<LocalSession> budget() {
    return budget;
  }

  /// Bytes that clients have been sent and have not acknowledged, all sessions together.
  public long unacknowledgedBytes() {
    return budget.taken();
  }
}
