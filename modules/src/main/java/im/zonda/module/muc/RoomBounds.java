package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.store.RoomStore;

/// What all rooms of one service share: memory, and the number of rooms of an account.
///
/// @param histories the memory of messages for those who enter
/// @param memory the memory of all else
/// @param counts the rooms of each account
record RoomBounds(HistoryMemory histories, RoomMemory memory, RoomCounts counts) {
  /// What the configuration allows.
  ///
  /// @param domain the room service
  /// @param heap the most bytes of the heap
  static RoomBounds of(ModuleContext context, Jid domain, long heap) {
    return new RoomBounds(
        HistoryMemory.of(context.config(), heap),
        RoomMemory.of(context.config(), heap),
        new RoomCounts(
            context.port(RoomStore.class),
            domain.domain(),
            context.config().rooms().roomsPerAccount()));
  }
}
