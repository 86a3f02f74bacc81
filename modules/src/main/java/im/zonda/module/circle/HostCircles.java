package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.module.muc.MucModule;
import org.jspecify.annotations.Nullable;

/// The circles of a host while the module is installed.
///
/// @param stored what is wanted
/// @param work carries it out
/// @param rooms the module that has the rooms
record HostCircles(StoredCircles stored, CircleWork work, MucModule rooms) {
  /// The room of a circle; null if there is no room service.
  @Nullable Jid room(Circle circle) {
    Jid service = rooms.service();
    return service == null ? null : circle.room(service);
  }
}
