package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.Places;
import java.util.List;
import java.util.function.Consumer;

/// The homes of a service with one room, which is always open. Tasks run at once.
public class SingleRoom implements Places<RoomHome> {
  private final RoomHome home;

  public SingleRoom(RoomHome home) {
    this.home = home;
  }

  @Override
  public void at(Jid address, boolean mayBlock, Consumer<RoomHome> task) {
    task.accept(home);
  }

  @Override
  public boolean ifOpen(Jid address, boolean mayBlock, Consumer<RoomHome> task) {
    task.accept(home);
    return true;
  }

  @Override
  public List<Jid> open() {
    return List.of(home.jid());
  }
}
