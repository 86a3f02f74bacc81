package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.muc.room.RoomMemory;

/// What all rooms of one service share: memory, and the number of rooms of an account.
///
/// @param histories the memory of messages for those who enter
/// @param memory the memory of all else
/// @param counts the rooms of each account
public record RoomBounds(HistoryMemory histories, RoomMemory memory, RoomCounts counts) {
  /// What the configuration allows.
  ///
  /// @param domain the room service
  /// @param heap the most bytes of the heap
  public static RoomBounds of(ModuleContext context, Jid domain, long heap) {
    return new RoomBounds(
        HistoryMemory.of(context.config(), heap),
        RoomMemory.of(context.config(), heap),
        new RoomCounts(
            context.stores().rooms(), domain.domain(), context.config().rooms().roomsPerAccount()));
  }
}
