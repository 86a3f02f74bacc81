package im.zonda.app.modules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.host.VirtualHost;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Iq;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.xml.QName;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Declarations that only one module of a host may make.
class ClashingModulesTest {
  private static final QName QUERY = new QName("test:clash", "query");

  private final AtomicInteger stops = new AtomicInteger();

  private record Module(String name, Consumer<ModuleContext> declares, AtomicInteger stops)
      implements XmppModule {
    @Override
    public void install(ModuleContext context) {
      declares.accept(context);
    }

    @Override
    public void stop() {
      stops.incrementAndGet();
    }
  }

  private List<XmppModule> both(Consumer<ModuleContext> one, Consumer<ModuleContext> two) {
    return List.of(new Module("one", one, stops), new Module("two", two, stops));
  }

  private void refused(Consumer<ModuleContext> one, Consumer<ModuleContext> two, String what) {
    assertThatThrownBy(() -> ServerPlan.of(() -> both(one, two)).startInMemory().close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("modules one and two declare the same " + what);
  }

  private static void answer(ModuleContext context, Iq.Type type, Addressee addressee) {
    context.onIq(type, QUERY, addressee, request -> IqReply.empty());
  }

  private static HttpRoute route(String path, HttpMethod method) {
    return HttpRoute.exact(path, method, request -> HttpResponse.empty(204));
  }

  @Test
  void twoModulesThatDeclareTheSameAreBothNamed() {
    Consumer<ModuleContext> answers = context -> answer(context, Iq.Type.GET, Addressee.SERVER);
    refused(answers, answers, "IQ request");
    Consumer<ModuleContext> early =
        context ->
            context.onUnauthenticatedIq(
                Iq.Type.SET, QUERY, (iq, payload, client) -> IqReply.empty());
    refused(early, early, "IQ request before authentication");
    Consumer<ModuleContext> binds = context -> context.onBind(QUERY, (home, session, e) -> null);
    refused(binds, binds, "element of bind requests");
    refused(
        context -> context.onHttp(route("/a", HttpMethod.GET)),
        context ->
            context.onHttp(
                new HttpRoute(
                    "/a",
                    false,
                    Set.of(HttpMethod.GET, HttpMethod.POST),
                    false,
                    request -> HttpResponse.empty(204))),
        "path: GET /a");
    assertThat(stops).as("what was installed has been stopped").hasValue(8);
  }

  @Test
  void whatDiffersInTypeAddresseeOrMethodMayBeDeclared() throws IOException {
    ServerPlan.of(() ->
            both(
                context -> {
                  answer(context, Iq.Type.GET, Addressee.SERVER);
                  context.onHttp(route("/a", HttpMethod.GET));
                },
                context -> {
                  answer(context, Iq.Type.SET, Addressee.SERVER);
                  answer(context, Iq.Type.GET, Addressee.OWN_ACCOUNT);
                  context.onHttp(route("/a", HttpMethod.POST));
                  context.onHttp(
                      HttpRoute.below(
                          "/a/",
                          HttpMethod.GET,
                          request -> {
                            throw new IOException("not asked");
                          }));
                }))
        .startInMemory()
        .close();
    assertThat(stops).hasValue(2);
  }

  @Test
  void aModuleThatCannotBeInstalledLaterIsStopped() throws IOException {
    Consumer<ModuleContext> answers = context -> answer(context, Iq.Type.GET, Addressee.SERVER);
    ServerPlan plan = ServerPlan.of(() -> both(answers, answers)).with("modulesOff", Set.of("two"));
    try (TestServer server = plan.startInMemory()) {
      VirtualHost host = server.server().hosts().getFirst();
      ServerConfig both = RecordCopy.with(host.config(), "modulesOff", Set.of());
      assertThat(host.change(both)).containsExactly("two");
      assertThat(stops).hasValue(1);
      assertThat(host.modules()).containsExactly("one");
    }
    assertThat(stops).hasValue(2);
  }
}
