package im.zonda.operation;

/// Object of an operation, which decides whether the administrator of a host may run it.
public enum Scope {
  /// The server as a whole.
  SERVER,
  /// The host that the component `host` of the input names; without a value, all hosts.
  HOST,
  /// The address that the first component of the input names: that of an account, or of a room or
  /// node of a service. It belongs to the host that has the domain.
  ADDRESS
}
