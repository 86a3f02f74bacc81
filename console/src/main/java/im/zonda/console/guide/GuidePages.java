package im.zonda.console.guide;

import im.zonda.console.page.ConsolePages;
import im.zonda.console.page.Pages;
import im.zonda.console.page.Places;

/// The pages of the first hour.
public final class GuidePages {
  private GuidePages() {}

  /// Adds them.
  public static void addTo(ConsolePages console) {
    Pages pages = console.pages();
    KnownChecks checks = new KnownChecks();
    console.add(Places.START, new StartPage(pages, checks));
    console.add(InvitationPage.PATH, new InvitationPage(pages));
    console.add(SettingPage.PATH, new SettingPage(pages));
    console.add(HistoryPage.PATH, new HistoryPage(pages));
    FirstAccount first = new FirstAccount();
    console.introduceBy(
        desk -> StartPage.isFresh(desk, checks, first),
        desk -> StartPage.hint(desk, checks, first));
  }
}
