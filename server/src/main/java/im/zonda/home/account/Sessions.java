package im.zonda.home.account;

import im.zonda.cluster.Member;
import im.zonda.config.limits.Limits;
import im.zonda.home.HomeTask;
import im.zonda.home.session.Budget;
import im.zonda.home.session.HomeLink;
import im.zonda.home.session.LocalSession;
import im.zonda.home.session.MovingSession;
import im.zonda.home.session.SavedSession;
import im.zonda.home.session.SessionHomes;
import im.zonda.home.session.SessionReplicaCodec;
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
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The sessions of all accounts: submits the values of the streams' links to the homes, which do
/// all work with sessions.
public final class Sessions implements SessionGate, SessionHomes {
  private final StanzaRouter router;
  private final OutboundStanzas outbound;
  private final CatchUp catchUp;
  private final Budget budget;
  private final Resumption resumption;
  private final SessionCopies copies;
  private final SessionBinding binding;
  private final SessionSaving saving;
  private final SessionRecovery rebuilding;

  /// The nodes of the cluster.
  private Set<Member> members = Set.of();

  /// What sessions need beside the router.
  ///
  /// @param limits the bounds
  /// @param messages the message log
  /// @param clusterLog the same as the nodes of a cluster share it
  /// @param stanzaIds the ids of log entries as clients see them
  /// @param copiesAttached whether sessions whose stream is in this process are copied to other
  ///   nodes
  record Surroundings(
      Limits limits,
      MessageLog messages,
      ClusterLog clusterLog,
      ServerRuntime runtime,
      StanzaIds stanzaIds,
      boolean copiesAttached) {}

  Sessions(StanzaRouter router, Surroundings around, OutboundStanzas outbound, CatchUp catchUp) {
    this.router = router;
    this.outbound = outbound;
    this.catchUp = catchUp;
    this.budget = new Budget(around.limits(), Runtime.getRuntime().maxMemory());
    this.resumption = new Resumption(this, router, around, budget);
    this.copies = new SessionCopies(router, resumption, around);
    this.binding = new SessionBinding(this, around.runtime().ids(), catchUp, resumption);
    this.saving = new SessionSaving(this, router, around, catchUp);
    this.rebuilding = new SessionRecovery(router, around, outbound, saving, resumption);
    budget.whenExceeded(new SharedBound(budget, router, binding, around.runtime())::exceeded);
  }

  @Override
  public SessionEnd open(StreamEnd stream) {
    return new HomeLink(this, stream);
  }

  // ---- values, by the threads of the streams

  @Override
  public void bind(HomeLink link, ToSession.Bind bind) {
    if (router.host(bind.account()) == null) {
      link.stream().receive(new ToStream.NotBound(ErrorCondition.ITEM_NOT_FOUND));
      return;
    }
    if (!router.submit(bind.account(), binding.task(link, bind), link)) {
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
    if (router.host(account) == null) {
      link.stream().receive(new ToStream.SessionNotFound(null));
    } else if (!router.submit(account, task, link)) {
      link.stream().receive(new ToStream.Unsettled());
    }
  }

  @Override
  public void received(HomeLink link, Jid account, ToSession.Received received) {
    router.submit(
        account,
        new ReceivedStanza(this, link, account, received.stanza(), received.number()),
        link);
  }

  @Override
  public void submit(HomeLink link, Jid account, ToSession value) {
    router.submit(
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

  /// A new session of that address begins.
  void replaced(AccountHome home, Jid session) {
    router.awaited().replaced(home, session);
  }

  /// How long ago, in ms, a home of the session that died may have handled what its client sends
  /// now; 0 if there is none.
  int age(@Nullable LocalSession session) {
    StreamManagementState management = session == null ? null : session.management();
    return management == null || !management.hasPossiblyHandled() ? 0 : resumption.age(management);
  }

  /// Whether handling that stanza of a client at its home may block.
  boolean mayBlock(AccountHome home, Stanza stanza) {
    return outbound.mayBlock(home, stanza);
  }

  /// Handles a stanza of the client at the client's own home.
  void accept(AccountHome home, LocalSession session, Stanza stanza, Origin origin) {
    Stanza stamped = stanza.withAddresses(session.jid(), stanza.to());
    outbound.accept(home, session, new Envelope(stamped, origin, null));
  }

  /// A stanza could not be handled, or not to its end: the client gets an error.
  void takeFailed(HomeLink link, Stanza stanza, Throwable cause) {
    router.stats().failed.increment();
    LocalSession session = link.session();
    if (session != null) {
      router.refuse(stanza.withAddresses(session.jid(), stanza.to()), ErrorReplies.errorFor(cause));
    }
  }

  /// The router.
  StanzaRouter router() {
    return router;
  }

  /// The counts of the session and its stream differ: the stream ends.
  void countFailed(HomeLink link) {
    link.stream().receive(new ToStream.Close(StreamErrorCondition.INTERNAL_SERVER_ERROR, null));
  }

  /// A stanza and all that it has caused have been handled. Any thread may call.
  void finished(ReceivedStanza stanza) {
    if (stanza.isMessage()) {
      router.stats().measureAcknowledged(System.nanoTime() - stanza.since());
    }
    LocalSession session = stanza.countedBy();
    if (session == null) {
      return;
    }
    if (router.isRunningAt(stanza.account())) {
      finished(session, stanza.number());
    } else if (!router.submitAlone(stanza.account(), stanza)) {
      movedOn(session, stanza.number());
    }
  }

  /// The session is on another node, where the stanza is to be counted.
  private void movedOn(LocalSession session, long number) {
    StreamManagementState management = session.management();
    String id = management == null || !management.hasMoved() ? null : management.id();
    if (id != null) {
      router.homes().nodes().forwarder().handled(session.jid().bare(), id, number);
    }
  }

  /// The same, at the home.
  void handled(ReceivedStanza stanza) {
    LocalSession session = stanza.countedBy();
    if (session != null) {
      finished(session, stanza.number());
    }
  }

  private void finished(LocalSession session, long number) {
    StreamManagementState management = session.management();
    if (management != null && management.hasMoved()) {
      movedOn(session, number);
      return;
    }
    if (management == null
        || !management.counts(number)
        || !management.handled().finished(number)) {
      return;
    }
    if (session.isDetached()) {
      copies.changed(session);
    }
    Runnable settled = management.takeSettled();
    if (settled != null) {
      router.submit(session.jid().bare(), false, _ -> settled.run());
    }
    HomeLink link = session.link();
    if (management.isSettling()) {
      if (management.handled().isSettled()) {
        // In a task of its own: the caller may be the writer of the database.
        router.submit(session.jid().bare(), false, _ -> resumption.settled(session));
      }
    } else if (link != null) {
      copies.handled(session, management, link);
    }
  }

  @Override
  public void noRoom(LocalSession session) {
    router.submit(session.jid().bare(), false, home -> binding.noRoom(home, session));
  }

  @Override
  public void notTaken(Stanza stanza) {
    if (stanza instanceof Iq iq) {
      router.refuse(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
  }

  /// A message that a session has not acknowledged waits in the log of the account. It is rejected
  /// if it was for a guest, as guests have no log.
  void unacknowledged(AccountHome home, Message message) {
    if (home.exists()) {
      ErrorReplies errors = router.routes().errors();
      errors.record(Envelope.of(message), Place.SESSION, Reason.SESSION_EXPIRED, null);
    } else {
      router.refuse(message, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
  }

  @Override
  public void sendState(LocalSession session) {
    router.submit(session.jid().bare(), false, _ -> session.sendState());
  }

  @Override
  public void changed(LocalSession session) {
    copies.changed(session);
  }

  @Override
  public void endDetached(LocalSession session) {
    router.submit(
        session.jid().bare(),
        false,
        home -> {
          if (session.isDetached()) {
            binding.end(home, session);
          }
        });
  }

  /// The session's stream is gone without an end. At the home.
  void lost(AccountHome home, LocalSession session) {
    binding.lost(home, session);
  }

  /// The session's time without a stream has expired; ignored if its epoch
  /// ([StreamManagementState#epoch]) has changed.
  void expire(LocalSession session, StreamManagementState management, int epoch) {
    router.submit(
        session.jid().bare(),
        false,
        home -> {
          if (session.isDetached() && management.epoch() == epoch) {
            router.stats().expired.increment();
            binding.end(home, session);
          }
        });
  }

  /// The host is removed: the account's sessions end. At the home.
  void endAll(AccountHome home) {
    binding.endAll(home);
  }

  /// Called before the home moves to another node: its sessions lose their streams. At the home.
  void detachAll(AccountHome home) {
    binding.detachAll(home);
  }

  /// The session ends. At the home.
  void end(AccountHome home, LocalSession session) {
    binding.end(home, session);
  }

  /// The account was removed: its sessions end. At the home.
  void forget(AccountHome home) {
    binding.forget(home);
  }

  /// What stream management needs.
  Resumption resumption() {
    return resumption;
  }

  /// The replication of sessions to other nodes.
  SessionCopies copies() {
    return copies;
  }

  /// Starts the replication of sessions to other nodes, in this form.
  public void copyWith(SessionReplicaCodec form) {
    copies.form(form);
  }

  /// Replicates changes that were not sent at once; to be called a few times a second. Returns at
  /// once.
  public void copyChanges() {
    copies.tick();
  }

  /// Removes the replica of a session that cannot be restored.
  public void removeCopy(Jid account, String id) {
    copies.removeCopy(account, id);
  }

  /// The sessions that have not ended. A copy; any thread may call.
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
  public List<SavedSession> save() {
    return saving.save();
  }

  /// Removes the sessions of these accounts from their homes: they move to another node. Blocks.
  List<MovingSession> take(Predicate<Jid> accounts) {
    return saving.take(accounts);
  }

  /// Keeps a session that has moved here until its home takes it. Returns at once.
  public void restore(MovingSession moved) {
    saving.restore(moved);
  }

  /// Homes are open here: they take the sessions that have arrived for them. Returns at once.
  public void opened() {
    saving.opened();
  }

  /// Sets the nodes of the cluster. Returns at once; called by one thread at a time.
  public void placed(Set<Member> next) {
    boolean lost = !next.containsAll(members);
    members = next;
    resumption.pendingElsewhere().placed(lost);
  }

  /// A node of the cluster is missed. Returns at once.
  public void memberMissed() {
    resumption.pendingElsewhere().memberMissed();
  }

  /// A stanza of a session that has moved here has been handled by another node.
  ///
  /// @param id the id of the session, hashed
  public void handled(Jid account, String id, long number) {
    boolean accepted =
        router.submit(
            account,
            home -> {
              LocalSession session = Resumption.find(home, id);
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
    if (!router.homes().nodes().view().isHere(account)) {
      router.homes().nodes().forwarder().handled(account, id, number);
    }
  }

  /// The home has been loaded: it takes the sessions that have moved here.
  void loaded(AccountHome home) {
    saving.loaded(home);
  }

  /// Restores sessions that were saved, before any stream can resume them.
  public void restore(List<SavedSession> sessions) {
    saving.restore(sessions);
  }

  /// What is kept for clients, and who acknowledges late.
  public Budget budget() {
    return budget;
  }

  /// Bytes that clients have been sent and have not acknowledged, all sessions together.
  public long unacknowledgedBytes() {
    return budget.taken();
  }
}
