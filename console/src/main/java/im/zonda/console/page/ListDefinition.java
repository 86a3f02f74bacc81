package im.zonda.console.page;

import java.util.List;
import java.util.Map;

/// A page that shows the list that an operation gives.
///
/// @param word the name of the page in its address, and of its texts
/// @param operation the name of the operation
/// @param list the component of the result that is the list; empty to show the result as it is
/// @param columns the components that are shown, in their order; empty for all
/// @param rowActions what can be done with an entry
/// @param actions the names of other operations, beside the list
record ListDefinition(
    String word,
    String operation,
    String list,
    List<String> columns,
    List<RowAction> rowActions,
    List<String> actions) {
  /// An operation on an entry.
  ///
  /// @param operation its name
  /// @param input the components of its input, by those of the entry that they are taken from
  record RowAction(String operation, Map<String, String> input) {}

  /// All of them, in the order of the rail.
  static final List<ListDefinition> ALL =
      List.of(
          new ListDefinition(
              "people",
              "account.list",
              "accounts",
              List.of(),
              List.of(),
              List.of("account.create", "account.import", "invitation.create", "notice.announce")),
          new ListDefinition(
              "sessions",
              "session.list",
              "sessions",
              List.of("account", "resource", "software", "tls", "address", "since", "active"),
              List.of(
                  new RowAction(
                      "session.end", Map.of("account", "account", "resource", "resource"))),
              List.of("session.end-all")),
          new ListDefinition(
              "rooms",
              "room.list",
              "rooms",
              List.of("room", "name", "occupants", "listed", "persistent", "created"),
              List.of(),
              List.of("room.create", "room.removed", "room.destroy-idle")),
          new ListDefinition(
              "invitations",
              "invitation.list",
              "invitations",
              List.of("username", "inviter", "createsAccount", "circle", "expires"),
              List.of(new RowAction("invitation.revoke", Map.of("invitation", "id"))),
              List.of("invitation.create", "circle.list")),
          new ListDefinition(
              "groups",
              "group.list",
              "groups",
              List.of("group", "name", "source", "members", "seenBy", "large"),
              List.of(
                  new RowAction("group.show", Map.of("group", "group")),
                  new RowAction("group.members", Map.of("group", "group")),
                  new RowAction("group.add-member", Map.of("group", "group")),
                  new RowAction("group.remove-member", Map.of("group", "group")),
                  new RowAction("group.change", Map.of("group", "group", "name", "name")),
                  new RowAction("group.preview", Map.of("group", "group")),
                  new RowAction("group.remove", Map.of("group", "group"))),
              List.of("group.create", "group.preview")),
          new ListDefinition(
              "reports",
              "report.list",
              "reports",
              List.of("time", "reported", "reporter", "reason", "text"),
              List.of(new RowAction("report.close", Map.of("report", "report"))),
              List.of("ban.list", "access-list.show")),
          new ListDefinition(
              "bans",
              "ban.list",
              "bans",
              List.of(),
              List.of(new RowAction("ban.remove", Map.of("network", "network"))),
              List.of("ban.add", "login.failures")),
          new ListDefinition(
              "failed-logins",
              "login.failures",
              "networks",
              List.of(),
              List.of(new RowAction("ban.add", Map.of("network", "network"))),
              List.of("ban.list")),
          new ListDefinition(
              "alarms",
              "alarm.list",
              "alarms",
              List.of("state", "text", "since", "ended", "acknowledgedBy", "node"),
              List.of(new RowAction("alarm.acknowledge", Map.of("alarm", "alarm"))),
              List.of()),
          new ListDefinition(
              "doctor",
              "server.doctor",
              "findings",
              List.of("level", "subject", "text", "advice"),
              List.of(),
              List.of("server.version", "certificate.list")),
          new ListDefinition(
              "links",
              "link.list",
              "links",
              List.of(
                  "remote",
                  "local",
                  "state",
                  "waiting",
                  "unacknowledged",
                  "retryAt",
                  "errorText",
                  "stream"),
              List.of(
                  new RowAction("link.retry", Map.of("domain", "remote")),
                  new RowAction("link.check", Map.of("domain", "remote"))),
              List.of("link.check", "component.list", "server.edges")),
          new ListDefinition(
              "hosts",
              "host.list",
              "hosts",
              List.of(),
              List.of(
                  new RowAction("dns.check", Map.of("domain", "host")),
                  new RowAction("account.list", Map.of("host", "host")),
                  new RowAction("host.remove", Map.of("domain", "host"))),
              List.of("host.add", "compliance.show", "config.check", "config.reload")),
          new ListDefinition(
              "providers",
              "provider.list",
              "providers",
              List.of(
                  "host",
                  "provider",
                  "type",
                  "answers",
                  "questions",
                  "failed",
                  "p50",
                  "p99",
                  "error"),
              List.of(),
              List.of("provider.test", "provider.show")),
          new ListDefinition(
              "certificates",
              "certificate.list",
              "certificates",
              List.of("host", "names", "ends", "begins", "selfSigned"),
              List.of(),
              List.of("certificate.acme", "certificate.reload")),
          new ListDefinition(
              "configuration",
              "config.list",
              "keys",
              List.of("key", "value", "origin", "waits"),
              List.of(new RowAction("config.set", Map.of("key", "key"))),
              List.of("config.show", "config.check", "config.reload", "server.restart")),
          new ListDefinition(
              "plugins",
              "plugin.list",
              "plugins",
              List.of(
                  "plugin", "version", "state", "title", "hosts", "share", "calls", "failed",
                  "fault"),
              List.of(),
              List.of("plugin.add")),
          new ListDefinition(
              "cluster",
              "cluster.members",
              "members",
              List.of(),
              List.of(),
              List.of("cluster.status", "cluster.drain", "cluster.join")),
          new ListDefinition(
              "backups",
              "server.backups",
              "backups",
              List.of("name", "time", "bytes", "accounts", "rooms", "messages", "verified"),
              List.of(new RowAction("server.verify-backup", Map.of("name", "name"))),
              List.of("server.backup")),
          new ListDefinition(
              "recordings",
              "server.recordings",
              "recordings",
              List.of(),
              List.of(
                  new RowAction("server.recording", Map.of("name", "name")),
                  new RowAction("server.recording-file", Map.of("name", "name"))),
              List.of("server.record")),
          new ListDefinition(
              "jobs",
              "job.list",
              "jobs",
              List.of("title", "state", "done", "total", "caller", "started", "ended", "text"),
              List.of(
                  new RowAction("job.show", Map.of("job", "id")),
                  new RowAction("job.cancel", Map.of("job", "id"))),
              List.of()),
          new ListDefinition(
              "audit",
              "audit.list",
              "events",
              List.of(
                  "time",
                  "caller",
                  "via",
                  "from",
                  "operation",
                  "host",
                  "subject",
                  "outcome",
                  "detail"),
              List.of(),
              List.of()),
          new ListDefinition(
              "tokens",
              "token.list",
              "tokens",
              List.of(
                  "name", "role", "hosts", "createdBy", "expires", "expired", "used", "address"),
              List.of(new RowAction("token.revoke", Map.of("token", "name"))),
              List.of("token.create")),
          new ListDefinition(
              "signed-in",
              "admin.sessions",
              "sessions",
              List.of("name", "way", "address", "since", "used"),
              List.of(new RowAction("admin.end-session", Map.of("session", "session"))),
              List.of()));
}
