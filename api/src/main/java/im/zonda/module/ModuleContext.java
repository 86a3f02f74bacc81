package im.zonda.module;

import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.store.KeyValueStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Everything a module may do.
public interface ModuleContext {
  /// The virtual host's domain as an address.
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

  /// What all modules of this host have declared.
  HostInfo host();

  /// The server's features name this namespace.
  void advertise(String namespace);

  /// The features of the host's accounts name this namespace.
  void advertiseForAccounts(String namespace);

  /// The server has this identity.
  void identity(DiscoIdentity identity);

  /// The server's information holds this data form (XEP-0128).
  void form(Element form);

  /// Authenticated streams are offered this feature; asked once all modules are installed.
  void streamFeature(Supplier<Element> feature);

  /// Streams that have not authenticated are offered this feature.
  void streamFeatureBeforeAuthentication(Supplier<Element> feature);

  /// Answers IQ requests of `type` (get or set) with that payload.
  ///
  /// @throws IllegalStateException if another module does
  void onIq(Iq.Type type, QName payload, Addressee addressee, IqHandler handler);

  /// Clients get IQ requests of `type` with that payload only from the server itself
  /// ([im.zonda.session.Session#send]); anyone else who sends one to a client is answered
  /// `service-unavailable`.
  void reserveIq(Iq.Type type, QName payload);

  /// Answers IQ requests of streams that have not authenticated.
  void onUnauthenticatedIq(Iq.Type type, QName payload, UnauthenticatedHandler handler);

  /// Looks at messages.
  void onMessage(HookPoint point, Phase phase, MessageFilter filter);

  /// Looks at presence.
  void onPresence(HookPoint point, Phase phase, PresenceFilter filter);

  /// Looks at IQs that pass between accounts, before anyone answers or gets them.
  void onIq(HookPoint point, Phase phase, IqFilter filter);

  /// Is told of messages that were sent and delivered.
  void onDelivery(DeliveryListener listener);

  /// Is told of sessions.
  void onSession(SessionListener listener);

  /// Clients may put the element `request` into their bind request (XEP-0386); `handler` then runs.
  /// The feature is advertised by the element's namespace.
  ///
  /// @throws IllegalStateException if another module does
  void onBind(QName request, BindHandler handler);

  /// Runs `handler` at every bind by XEP-0386; it is given the whole `<bind/>`.
  void onBind(BindHandler handler);

  /// Judges whether messages are stored.
  void onStorage(StorageRule rule);

  /// Marks messages that are delivered late.
  void onLateDelivery(LateDelivery marker);

  /// Keeps a value with every account of this host, loaded with its home.
  void keep(HomeKey<?> key);

  /// Sends a stanza, which must have `from` and `to`; it takes the ordinary way from there.
  void send(Stanza stanza);

  /// Sends a message that `author` wrote and whose `from` does not say so, such as a private
  /// message within a room. A receiver who refuses what comes from `author`, or from the message's
  /// `from`, does not get it: then `refused` runs, on any thread, and that `from` is not answered.
  ///
  /// @param custody of the stanza that caused it: its sender waits until this one is durable
  void send(Message message, Jid author, Custody custody, Runnable refused);

  /// The same for a request that `author` makes under another address.
  void send(Iq request, Jid author, Runnable refused);

  /// Answers for a domain of its own, which this host's service discovery names.
  ///
  /// @throws IllegalStateException if the domain is a virtual host, or another service's
  <T> Places<T> serve(DomainService<T> service);

  /// Runs `task` at the home of a bare address of this host, in order with all else there. It may
  /// block. Returns at once.
  void atHome(Jid account, Consumer<Home> task);

  /// The server has nothing waiting that needs the roster of an account: its sessions end and its
  /// home forgets it (after an account was removed).
  void forget(Jid account);
}
