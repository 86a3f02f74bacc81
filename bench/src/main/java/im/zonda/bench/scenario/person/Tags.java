package im.zonda.bench.scenario.person;

/// Steps of people by which times are recorded.
public final class Tags {
  /// From the request to the whole roster.
  public static final String ROSTER = "roster";

  /// From the request for somebody's vCard to its arrival.
  public static final String VCARD = "vcard";

  /// From when a message to someone who is online was due to its arrival there.
  public static final String MESSAGE_ONLINE = "message-online";

  /// From when a message to someone who is offline was due until the server had taken it: it
  /// answered a ping that was sent behind.
  public static final String MESSAGE_OFFLINE = "message-offline";

  /// From when somebody wanted to enter a room to the own presence in it.
  public static final String ENTER = "room-enter";

  /// From when a message to a room was due to its return to the sender.
  public static final String GROUP_CHAT = "group-chat";

  /// From when a message to a room was due to its arrival at another occupant.
  public static final String GROUP_COPY = "group-copy";

  private Tags() {}
}
