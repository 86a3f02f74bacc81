package im.zonda.module.commands;

import im.zonda.jid.Jid;
import im.zonda.module.forms.DataForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A command that runs: one requester, one responder. Guarded by the [CommandSessions].
final class CommandSession {
  private final String id;
  private final Jid owner;
  private final Jid address;
  private final String node;

  /// What was submitted and accepted, in order.
  final List<DataForm> forms = new ArrayList<>();

  /// What is allowed next.
  List<CommandAction> allowed = List.of();

  /// Whether a stage has not been answered.
  boolean busy = true;

  /// When the session ends unless it is used.
  Instant expiry;

  /// @param owner the full address of the requester
  /// @param address where the command was requested
  /// @param node the command
  CommandSession(String id, Jid owner, Jid address, String node, Instant expiry) {
    this.id = id;
    this.owner = owner;
    this.address = address;
    this.node = node;
    this.expiry = expiry;
  }

  String id() {
    return id;
  }

  Jid owner() {
    return owner;
  }

  String node() {
    return node;
  }

  /// Whether a request belongs to the session.
  boolean belongsTo(Jid from, Jid to, String command) {
    return owner.equals(from) && address.equals(to) && node.equals(command);
  }
}
