package im.zonda.module;

import im.zonda.config.ServerConfig;
import im.zonda.hook.Hook;
import im.zonda.hook.HookPoint;
import im.zonda.hook.Judgement;
import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The interface through which a module uses the server and declares its handlers. Declarations are
/// made during [XmppModule#install] only.
public interface ModuleContext extends Declarations {
  /// The address of the virtual host.
  Jid domain();

  /// The configuration.
  ServerConfig config();

  /// The time.
  InstantSource clock();

  /// Timers. Tasks that are due after the module was stopped do not run.
  Scheduler scheduler();

  /// Runs `task` after `first`, and then `period` after the end of each run, on a thread that may
  /// block, until it is cancelled or the module is stopped. Runs never overlap. One that throws is
  /// logged and followed by the next.
  Scheduler.Cancellable every(Duration first, Duration period, Runnable task);

  /// As [#every], but at one node of a cluster: for work on what all nodes share. When that node
  /// has left, another one takes over.
  default Scheduler.Cancellable everyAtOneNode(Duration first, Duration period, Runnable task) {
    return every(first, period, task);
  }

  /// New identifiers.
  IdSource ids();

  /// A port of the server.
  ///
  /// @throws IllegalStateException if the module has not declared it ([XmppModule#ports])
  <T> T port(Class<T> type);

  /// The key-value store of that name.
  ///
  /// @throws IllegalStateException if the module has not declared it ([XmppModule#ports])
  KeyValueStore keyValues(String name);

  /// What all modules of this host declare.
  HostInfo host();

  /// What the modules of this host declare for a hook at present, in its order. For hooks that the
  /// module itself applies, as that of rooms does.
  default <H> List<H> declared(Hook<H> hook) {
    return List.of();
  }

  /// The name of the module of this host that has declared a handler.
  default String moduleOf(Object handler) {
    return "server";
  }

  /// Whether a filter of messages in rooms may block: then they are handled where they may, before
  /// such a filter is among those of [#declared].
  default boolean roomMessagesMayBlock() {
    return false;
  }

  /// Sends a stanza, which must have `from` and `to`, as [#send(Envelope)] does.
  default void send(Stanza stanza) {
    send(Envelope.of(stanza));
  }

  /// Routes a stanza, which must have `from` and `to`, to its receiver. Any thread may call;
  /// returns at once.
  ///
  /// If the envelope names an author, a receiver who rejects what comes from the author or from the
  /// stanza's `from` (XEP-0191) does not get it, and `from` is answered with an error.
  void send(Envelope envelope);

  /// Runs an action in which a home of a service sends stanzas to many: those to other nodes may
  /// leave at its end, which costs less.
  ///
  /// @param sender the bare address of the home, in whose mailbox the caller runs
  default void inBatch(Jid sender, Runnable sends) {
    sends.run();
  }

  /// Delivers a message that a module has kept ([im.zonda.hook.Verdict.Keep]), as if it had just
  /// passed the filters, with the delay since `time`. Its sender gets an error if it cannot be
  /// delivered or stored. Only in a task at the account's home, where it may block. Once nothing
  /// holds the envelope's origin, the message or the error is durable.
  ///
  /// @throws im.zonda.store.StoreException if nothing was done because the log cannot be read
  void deliverLate(Home home, Envelope envelope, Instant time);

  /// How long the message log of `home` keeps the message, as the storage rules and RFC 6121,
  /// section 8.5.2, say; null if it does not belong there, so that it reaches only sessions that
  /// are available.
  MessageLog.@Nullable Keep keep(Home home, Message message);

  /// Asks the message filters of `home` what they would do with a message, which is not sent.
  default List<Judgement> judge(Home home, Message message, HookPoint point) {
    return List.of();
  }

  /// Keeps the stanza of `origin` from being handled until the log entry of `receipt` is durable.
  /// If the entry cannot be stored, the sender of `message` is answered with an error. While too
  /// much waits for the log, the sender's stream is not read.
  void awaitCommit(MessageLog.Receipt receipt, Message message, Origin origin);

  /// Does not read from the sender's stream for that time: what it sends next is delayed, in order,
  /// and waits in its own connection.
  void slowDown(Origin origin, Duration time);

  /// Answers for a domain of its own, which this host's service discovery lists.
  ///
  /// @throws IllegalStateException if the domain is a virtual host or another service
  <T> ServiceHomes<T> serve(DomainService<T> service);

  /// Runs `task` in the mailbox of a bare address of this host. It may block. Returns at once.
  ///
  /// @return false if the address is of another server, or its home is on another node of the
  ///   cluster, and nothing is run: the caller must have another way
  boolean atHome(Jid account, Consumer<Home> task);

  /// Asks the home of an account of this server, on whatever node it is, whether an address exists:
  /// an account if it is a bare JID, otherwise a session. Returns at once.
  ///
  /// @param answer called on any thread; must not block. True also if it cannot be known
  /// @return false if the address is of another server, and nothing is asked
  boolean find(Jid address, Consumer<Boolean> answer);

  /// Has `task` run when the same module of this host at another node of a cluster has called
  /// [#notifyNodes], on a thread that may block.
  default void onNotice(Runnable task) {}

  /// Notifies the same module of this host at the other nodes of a cluster, for what it keeps in
  /// memory of what all nodes share. Returns at once; does nothing without a cluster.
  default void notifyNodes() {}

  /// Ends the sessions of an account that was removed, and unloads its home.
  void forget(Jid account);
}
