package im.zonda.web;

import im.zonda.config.ServerConfig;
import im.zonda.directory.AccountExport;
import im.zonda.directory.RoomDirectory;
import im.zonda.directory.SignUp;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.web.account.AccountPages;
import im.zonda.web.chat.ChatFiles;
import im.zonda.web.chat.ChatHandler;
import im.zonda.web.chat.ChatPage;
import im.zonda.web.chat.ChatScripts;
import im.zonda.web.join.InvitePage;
import im.zonda.web.join.JoinScript;
import im.zonda.web.join.NameCheckHandler;
import im.zonda.web.join.RegisterPage;
import im.zonda.web.page.Look;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import im.zonda.web.page.WebTexts;
import java.io.IOException;
import java.net.IDN;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The pages of a virtual host, and the chat in the browser.
public final class WebModule implements XmppModule {
  private final RoomDirectory rooms;
  private final SignUp signUp;
  private final AccountExport export;
  private final @Nullable Path folder;

  /// @param rooms the public rooms
  /// @param signUp creates accounts
  /// @param export writes what is kept of an account
  /// @param folder the folder with the chat in its folder `chat`; null if there is none
  public WebModule(
      RoomDirectory rooms, SignUp signUp, AccountExport export, @Nullable Path folder) {
    this.rooms = rooms;
    this.signUp = signUp;
    this.export = export;
    this.folder = folder;
  }

  /// Reads and checks the picture of a host (`services.web.picture`).
  ///
  /// @throws IOException if it cannot be read; or with a sentence for the administrator if it
  ///   cannot be used
  public static void checkPicture(Path picture) throws IOException {
    Look.check(picture);
  }

  @Override
  public String name() {
    return "web";
  }

  @Override
  public Ports ports() {
    return AccountPages.PORTS;
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.services().web().equals(after.services().web())
        && before.rooms().prefix().equals(after.rooms().prefix())
        && before.modulesOff().equals(after.modulesOff())
        && guests(before) == guests(after);
  }

  @Override
  public void install(ModuleContext context) {
    String domain = context.domain().domain();
    Look look = look(context.config(), domain);
    ChatFiles chat = ChatFiles.find(folder);
    Site site = new Site(domain, look, WebTexts.read(), chat.isPresent(), signUp);
    boolean guests = guests(context.config());
    StartPage startPage =
        new StartPage(site, new RoomList(rooms, context.clock()), guests && chat.isPresent());
    context.onHttp(HttpRoute.exact("/", HttpMethod.GET, startPage));
    context.onHttp(HttpRoute.exact("/web/style.css", HttpMethod.GET, look.style()));
    context.onHttp(HttpRoute.exact("/web/colors.css", HttpMethod.GET, look.colors()));
    context.onHttp(HttpRoute.exact("/web/picture", HttpMethod.GET, look.picture()));
    context.onHttp(HttpRoute.exact("/web/manifest.webmanifest", HttpMethod.GET, look.manifest()));
    context.onHttp(HttpRoute.exact(Page.HELP, HttpMethod.GET, new HelpPage(site)));
    String base = context.config().http().url(IDN.toASCII(domain));
    join(context, site, base);
    AccountPages.Parts parts = AccountPages.Parts.of(context, export);
    new AccountPages(site, parts).routes().forEach(context::onHttp);
    if (chat.isPresent()) {
      String rooms = context.config().rooms().prefix() + "." + domain;
      String files = base + "/upload/";
      ChatPage page = new ChatPage(site, chat, new ChatPage.Settings(rooms, guests, files));
      context.onHttp(HttpRoute.exact("/chat/", HttpMethod.GET, page));
      context.onHttp(
          HttpRoute.exact(
              "/chat", HttpMethod.GET, request -> HttpResponse.redirect(308, "/chat/")));
      context.onHttp(HttpRoute.below(ChatScripts.FOLDER, HttpMethod.GET, new ChatScripts()));
      context.onHttp(HttpRoute.below(chat.folder(), HttpMethod.GET, new ChatHandler(chat)));
    }
  }

  /// The pages by which people get an account.
  private static void join(ModuleContext context, Site site, String base) {
    RegisterPage register = new RegisterPage(site, base);
    context.onHttp(HttpRoute.exact(RegisterPage.PATH, HttpMethod.GET, register::show));
    context.onHttp(HttpRoute.exact(RegisterPage.PATH, HttpMethod.POST, register::submit));
    InvitePage invite = new InvitePage(site, base);
    context.onHttp(HttpRoute.below(InvitePage.FOLDER, HttpMethod.GET, invite::show));
    context.onHttp(HttpRoute.below(InvitePage.FOLDER, HttpMethod.POST, invite::submit));
    context.onHttp(
        HttpRoute.exact(NameCheckHandler.PATH, HttpMethod.POST, new NameCheckHandler(site)));
    context.onHttp(HttpRoute.exact(JoinScript.PATH, HttpMethod.GET, JoinScript.read()));
  }

  /// Whether people may enter rooms without an account.
  private static boolean guests(ServerConfig config) {
    return config.services().guests().enabled()
        && config.services().guests().rooms()
        && !config.modulesOff().contains("guests");
  }

  private static Look look(ServerConfig config, String domain) {
    var web = config.services().web();
    String title = web.title();
    return Look.read(title == null ? domain : title, web.color(), web.picture());
  }
}
