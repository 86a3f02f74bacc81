package im.zonda.operation;

import java.util.Set;

/// Rights that administrators have together.
public enum Role {
  /// Everything except reading the contents of messages.
  SERVER_ADMIN,
  /// Everything about people, rooms and files of some hosts.
  HOST_ADMIN,
  /// Keeps the server running: sessions, links, nodes, backups; sees the rest.
  OPERATOR,
  /// Sees everything except contents, the audit and tokens.
  READ_ONLY,
  /// Sees what administrators have done, and who has which tokens.
  AUDITOR;

  private static final Set<Right> OF_HOSTS =
      Set.of(
          Right.ACCOUNTS,
          Right.SESSIONS,
          Right.ROOMS,
          Right.NODES,
          Right.FILES,
          Right.INVITATIONS,
          Right.NOTICES,
          Right.MODERATION);

  private static final Set<Right> OF_OPERATORS =
      Set.of(Right.SESSIONS, Right.LINKS, Right.CLUSTER, Right.NOTICES, Right.SERVER);

  private static final Set<Right> CONFIDENTIAL = Set.of(Right.CONTENT, Right.AUDIT, Right.TOKENS);

  /// Whether the role has operations of that kind for a right.
  public boolean allows(Right right, Kind kind) {
    boolean reads = kind == Kind.READ;
    return switch (this) {
      case SERVER_ADMIN -> right != Right.CONTENT;
      case HOST_ADMIN -> OF_HOSTS.contains(right);
      case OPERATOR ->
          OF_OPERATORS.contains(right)
              || (right == Right.DATA && kind != Kind.DESTROY)
              || (reads && !CONFIDENTIAL.contains(right));
      case READ_ONLY -> reads && !CONFIDENTIAL.contains(right);
      case AUDITOR ->
          reads && (right == Right.AUDIT || right == Right.TOKENS || right == Right.SERVER);
    };
  }

  /// Whether the role is limited to hosts, which must be named.
  public boolean needsHosts() {
    return this == HOST_ADMIN;
  }
}
