package im.zonda.study.page;

import im.zonda.app.Main;
import im.zonda.app.StandardModules;
import im.zonda.module.XmppModule;
import java.util.ArrayList;
import java.util.List;

/// A whole server as the product's, with the page of the study at each host.
public final class PageServer {
  private PageServer() {}

  /// Runs a command of the product, such as `start --config FILE`.
  public static void main(String[] arguments) {
    System.exit(Main.run(PageServer::modules, arguments));
  }

  private static List<XmppModule> modules() {
    List<XmppModule> all = new ArrayList<>(StandardModules.create());
    all.add(new PageModule());
    return all;
  }
}
