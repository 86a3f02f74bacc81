package im.zonda.home.session;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.ToSession;
import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.List;

/// The homes of a session that is at none: they note what the session asks them for.
final class NoHomes implements SessionHomes {
  private final List<String> asked = new ArrayList<>();

  /// What was asked for, by its method.
  List<String> asked() {
    return asked;
  }

  @Override
  public void bind(HomeLink link, ToSession.Bind bind) {
    asked.add("bind");
  }

  @Override
  public void resume(HomeLink link, ToSession.Resume resume) {
    asked.add("resume");
  }

  @Override
  public void recover(HomeLink link, LostSession lost) {
    asked.add("recover");
  }

  @Override
  public void received(HomeLink link, Jid account, ToSession.Received received) {
    asked.add("received");
  }

  @Override
  public void submit(HomeLink link, Jid account, ToSession value) {
    asked.add("submit");
  }

  @Override
  public void noRoom(LocalSession session) {
    asked.add("noRoom");
  }

  @Override
  public void phaseIllegal(LocalSession session) {
    asked.add("phaseIllegal");
  }

  @Override
  public void notTaken(Stanza stanza) {
    asked.add("notTaken");
  }

  @Override
  public void sendState(LocalSession session) {
    asked.add("sendState");
  }

  @Override
  public void changed(LocalSession session) {}

  @Override
  public void endDetached(LocalSession session) {
    asked.add("endDetached");
  }
}
