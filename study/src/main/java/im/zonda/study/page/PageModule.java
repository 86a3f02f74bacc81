package im.zonda.study.page;

import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.json.JsonText;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageArchive;
import im.zonda.store.RoomStore;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Serves the page of the study, two smaller ones that show what the page costs without its
/// queries, and the state of the process.
public final class PageModule implements XmppModule {
  /// The page of four components.
  public static final String PAGE = "/study/page";

  /// A page without a query.
  public static final String EMPTY = "/study/empty";

  /// A page with one query, of one row.
  public static final String ONE = "/study/one";

  /// The pool of connections since the last call, as JSON.
  public static final String POOL = "/study/pool";

  /// The memory of the virtual machine, as JSON.
  public static final String MEMORY = "/study/memory";

  private @Nullable PoolSampler pool;

  @Override
  public String name() {
    return "page";
  }

  @Override
  public Ports ports() {
    return Ports.of(RoomStore.class, AccountAddresses.class, MessageArchive.class);
  }

  @Override
  public void install(ModuleContext context) {
    PoolSampler sampler = PoolSampler.start();
    pool = sampler;
    AccountAddresses accounts = context.port(AccountAddresses.class);
    String domain = context.domain().domain();
    String rooms = context.config().rooms().prefix() + "." + domain;
    DirectoryPage page =
        new DirectoryPage(
            context.port(RoomStore.class),
            accounts,
            context.port(MessageArchive.class),
            domain,
            rooms,
            Contents.OF_STUDY);
    context.onHttp(HttpRoute.exact(PAGE, HttpMethod.GET, page));
    context.onHttp(
        HttpRoute.exact(EMPTY, HttpMethod.GET, request -> HttpResponse.text(200, "empty")));
    context.onHttp(
        HttpRoute.exact(
            ONE,
            HttpMethod.GET,
            request -> HttpResponse.text(200, accounts.list(domain, null, 1).toString())));
    context.onHttp(HttpRoute.exact(POOL, HttpMethod.GET, request -> json(sampler.take())));
    context.onHttp(HttpRoute.exact(MEMORY, HttpMethod.GET, request -> json(Memory.now())));
  }

  private static HttpResponse json(Object value) {
    return HttpResponse.bytes(
        200, "application/json", JsonText.of(value).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void stop() {
    PoolSampler sampler = pool;
    if (sampler != null) {
      sampler.close();
    }
  }
}
