package im.zonda.net;

import im.zonda.net.proxy.AddressRanges;
import im.zonda.stream.StreamProfile;
import im.zonda.throttle.AddressLimit;
import im.zonda.throttle.AddressLog;
import im.zonda.throttle.ConnectionThrottle;
import im.zonda.throttle.UnauthenticatedConnections;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Which connections are accepted for streams of one profile, or for another protocol. Each has
/// limits of its own, so that a flood of one kind excludes no other. Any thread may call.
final class Admission {
  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  /// A connection that was admitted.
  interface Member {
    /// The peer's address.
    InetAddress remoteAddress();

    /// Runs `task` later on the connection's event loop.
    void execute(Runnable task);

    /// Closes it at once. On its event loop.
    void cut();

    /// Whether it carries no stream, and that event loop is its own.
    default boolean isOtherProtocolOn(Loop loop) {
      return false;
    }
  }

  private final StreamProfile profile;
  private final AddressRanges shared;
  private final AddressLimit addresses;
  private final ConnectionThrottle throttle;
  private final UnauthenticatedConnections<Member> unauthenticated;
  private final AddressLog refusals;

  Admission(
      StreamProfile profile,
      AcceptLimits limits,
      ConnectionThrottle throttle,
      AddressLog refusals) {
    this.profile = profile;
    this.shared = limits.shared();
    this.addresses = new AddressLimit(limits.connectionsPerAddress());
    this.throttle = throttle;
    this.unauthenticated = new UnauthenticatedConnections<>(limits.connections().unauthenticated());
    this.refusals = refusals;
  }

  /// What the streams are.
  StreamProfile profile() {
    return profile;
  }

  /// Counts a connection of an address; false, and not counted, if it is not admitted.
  boolean admit(InetAddress address, Loop loop) {
    if (shared.contains(address)) {
      return true; // what it forwards is counted for the clients
    }
    ConnectionThrottle.Refusal refusal = throttle.countConnection(address, loop.now());
    if (refusal == null && !addresses.enter(address)) {
      refusal = ConnectionThrottle.Refusal.NUMBER;
    }
    if (refusal == null) {
      return true;
    }
    refused(address, refusal, null, loop);
    return false;
  }

  /// Reports a connection that is not admitted for another reason than these limits.
  ///
  /// @param detail what is wrong, for the log
  void refuse(InetAddress address, ConnectionThrottle.Refusal reason, String detail, Loop loop) {
    refused(address, reason, detail, loop);
  }

  /// An admitted connection is not set up after all.
  void withdraw(InetAddress address) {
    if (!shared.contains(address)) {
      addresses.leave(address);
    }
  }

  /// Adds a connection that has not authenticated; closes another one if there are too many.
  void enter(Member connection, Loop loop) {
    Member closed = unauthenticated.enter(connection.remoteAddress(), connection);
    if (closed != null) {
      refused(closed.remoteAddress(), ConnectionThrottle.Refusal.UNAUTHENTICATED, null, loop);
      closed.execute(closed::cut);
    }
  }

  /// An admitted connection goes on as another one.
  void replace(Member before, Member after, Loop loop) {
    unauthenticated.leave(before.remoteAddress(), before);
    enter(after, loop);
  }

  /// Counts a connection for another address; false, and unchanged, if that is not admitted.
  /// Another move follows by [#replace] at once.
  boolean move(Member connection, InetAddress address, Loop loop) {
    if (!admit(address, loop)) {
      return false;
    }
    leave(connection);
    return true;
  }

  /// The peer of a connection has authenticated.
  void authenticated(Member connection) {
    unauthenticated.leave(connection.remoteAddress(), connection);
  }

  /// A connection has ended.
  void leave(Member connection) {
    unauthenticated.leave(connection.remoteAddress(), connection);
    withdraw(connection.remoteAddress());
  }

  /// Whether an administrator has banned the address.
  boolean isBanned(InetAddress address) {
    return throttle.isBanned(address);
  }

  /// Closes the connections of other protocols on that event loop that come from banned networks.
  /// On the loop.
  void cutBanned(Loop loop) {
    for (Member each : unauthenticated.all()) {
      if (each.isOtherProtocolOn(loop)
          && !shared.contains(each.remoteAddress())
          && isBanned(each.remoteAddress())) {
        each.cut();
      }
    }
  }

  /// How many connections have not authenticated.
  int unauthenticated() {
    return unauthenticated.size();
  }

  private void refused(
      InetAddress address, ConnectionThrottle.Refusal reason, @Nullable String detail, Loop loop) {
    loop.counters().refused.add(1);
    LoggingEventBuilder event =
        (refusals.isFirst(address) ? LOG.atInfo() : LOG.atDebug())
            .addKeyValue("address", address.getHostAddress())
            .addKeyValue("reason", reason);
    (detail == null ? event : event.addKeyValue("detail", detail)).log("connection_refused");
  }
}
