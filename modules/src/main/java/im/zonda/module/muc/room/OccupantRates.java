package im.zonda.module.muc.room;

/// The rates of what a session has a room send to others.
final class OccupantRates {
  final RateLimit messages = new RateLimit();
  final RateLimit voiceRequests = new RateLimit();

  void add(OccupantRates other) {
    messages.add(other.messages);
    voiceRequests.add(other.voiceRequests);
  }

  boolean isIdle(long nowMillis) {
    return messages.isIdle(nowMillis) && voiceRequests.isIdle(nowMillis);
  }
}
