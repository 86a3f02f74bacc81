package im.zonda.operation;

/// Subjects of operations, as far as roles distinguish them.
public enum Right {
  /// Accounts: their existence, passwords, rosters, devices.
  ACCOUNTS,
  /// Sessions of clients.
  SESSIONS,
  /// Rooms.
  ROOMS,
  /// Publish-subscribe nodes.
  NODES,
  /// Files that were uploaded.
  FILES,
  /// Invitations and circles.
  INVITATIONS,
  /// Announcements, the message of the day and the welcome message.
  NOTICES,
  /// Bans, access lists and reports of abuse.
  MODERATION,
  /// The contents of messages. No role has it; it is granted by itself.
  CONTENT,
  /// Links to other servers, components and edges.
  LINKS,
  /// Nodes of the cluster.
  CLUSTER,
  /// The hosts of the server.
  HOSTS,
  /// The configuration.
  CONFIGURATION,
  /// Backups, restoration, import and export.
  DATA,
  /// The process: status, health, log, caches, stop and restart.
  SERVER,
  /// What administrators have done.
  AUDIT,
  /// Tokens by which programs administer the server.
  TOKENS;

  /// The word for people and programs, such as `accounts`.
  public String word() {
    return Value.word(this);
  }
}
