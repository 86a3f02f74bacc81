package im.zonda.module;

import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The external components of the server (XEP-0114): a port for modules that give them more rights
/// than clients have. Any thread may call; nothing blocks.
public interface ExternalComponents {
  /// Whether a component with that domain is connected. Then a stanza from the domain is from the
  /// component.
  boolean isConnected(Jid domain);

  /// Sends a stanza to every connection of the component that its `to` names. Does nothing if there
  /// is none.
  void sendToEachConnection(Stanza stanza);

  /// Sends a request of the server, whose `from` is a host or the bare address of an account, and
  /// gives the answer to `answered`, once: a result, an error, or an error that is made here. The
  /// latter is `remote-server-timeout` when the time is over, `conflict` if an equal request has
  /// not been answered, and `resource-constraint` if too many have not.
  ///
  /// @param requester on whose behalf it is sent: an account, a component or another domain. It is
  ///   charged while many requests have not been answered
  /// @param answered must not block
  void request(Iq request, Jid requester, Duration patience, Consumer<Iq> answered);

  /// The requester of a request that was sent by [#request] and has not been answered; null if
  /// there is no such request.
  @Nullable Jid requesterOf(Iq request);

  /// Runs `task`, which must not block, at the homes of a host that are loaded.
  void atLoadedHomes(Jid host, Consumer<Home> task);

  /// What a module adds to a host for external components, or to what some of its users may do
  /// ([ModuleContext#extend]). Methods must not block.
  interface Extension {
    /// A connection of a component has been opened, perhaps not the first one.
    ///
    /// @param connection sends a stanza over it, before anything else that it is sent; for use
    ///   during the call
    default void connected(Jid component, Consumer<Stanza> connection) {}

    /// The last connection of a component has ended.
    default void disconnected(Jid component) {}

    /// Decides on an IQ request that the server answers itself: one to the host, or to the bare
    /// address of one of its accounts.
    default Decision decide(IqRequest request, Addressee addressee) {
      return Decision.PASS;
    }

    /// A message or presence to the host itself; true if it has been handled, otherwise the sender
    /// of a message gets an error.
    default boolean accept(Envelope envelope) {
      return false;
    }

    /// Changes what service discovery says of the host and its accounts.
    default HostInfo describe(HostInfo host) {
      return host;
    }
  }

  /// What an extension decides on a request.
  sealed interface Decision {
    /// The module in charge answers it.
    Decision PASS = new Pass();

    /// See [#PASS].
    record Pass() implements Decision {}

    /// The module in charge answers it as if it were a request to another kind of address.
    record PassAs(Addressee addressee) implements Decision {}

    /// This is the answer.
    record Answer(IqReply reply) implements Decision {}
  }
}
