package im.zonda.module.muc.home;

import im.zonda.jid.Jid;
import im.zonda.module.ServiceHomes;
import java.util.List;
import java.util.function.Consumer;

/// The homes of a service with one room, which is always open. Tasks run at once.
public class SingleRoom implements ServiceHomes<RoomHome> {
  private final RoomHome home;

  public SingleRoom(RoomHome home) {
    this.home = home;
  }

  @Override
  public void submit(Jid address, boolean mayBlock, Consumer<RoomHome> task) {
    task.accept(home);
  }

  @Override
  public boolean submitIfLoaded(Jid address, boolean mayBlock, Consumer<RoomHome> task) {
    task.accept(home);
    return true;
  }

  @Override
  public boolean isHere(Jid address) {
    return true;
  }

  @Override
  public List<Jid> addresses() {
    return List.of(home.jid());
  }

  @Override
  public void withdraw() {
    throw new UnsupportedOperationException(
        "not used: the tests with one room do not withdraw the service");
  }
}
