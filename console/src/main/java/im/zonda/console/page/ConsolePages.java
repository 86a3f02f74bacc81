package im.zonda.console.page;

import im.zonda.console.chart.Topic;
import im.zonda.console.chart.Topics;
import im.zonda.console.live.EventStreams;
import im.zonda.console.live.SharedEvents;
import im.zonda.console.login.Protection;
import im.zonda.console.login.SecurityPage;
import im.zonda.console.login.SignInPages;
import im.zonda.console.login.Visit;
import im.zonda.console.view.Templates;
import im.zonda.console.view.Values;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.operation.Operations;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The pages for those who have signed in, by their paths. Any thread may call.
public final class ConsolePages {
  /// Where the pages renew themselves, which does not count as use of the session.
  public static final String LIVE = Places.FOLDER + "live/";

  private final Operations operations;
  private final Supplier<List<String>> hosts;
  private final InstantSource clock;
  private final Pages pages;
  private final LivePages live;
  private @Nullable SecurityPage security;
  private final Map<String, Function<Desk, HttpResponse>> byPath = new LinkedHashMap<>();
  private final Map<String, FormPage> withForms = new LinkedHashMap<>();
  private Predicate<Desk> fresh = _ -> false;
  private Function<Desk, String> hint = _ -> "";
  private final Map<String, ChartPage> charts = new LinkedHashMap<>();

  /// @param hosts the domains of all hosts
  /// @param label the word that every page shows
  public ConsolePages(
      Operations operations,
      Supplier<List<String>> hosts,
      InstantSource clock,
      Templates templates,
      String label,
      EventStreams streams) {
    this.operations = operations;
    this.hosts = hosts;
    this.clock = clock;
    this.pages = new Pages(templates, label);
    DoctorRounds rounds = new DoctorRounds();
    this.live = new LivePages(streams, rounds, new SharedEvents(System::nanoTime));
    OverviewPage overview = new OverviewPage(pages, rounds);
    byPath.put(
        Places.FOLDER,
        desk ->
            comesFromLink(desk) && fresh.test(desk)
                ? HttpResponse.redirect(303, Places.START)
                : overview.show(desk, hint.apply(desk)));
    for (Topic each : Topics.ALL) {
      ChartPage page = new ChartPage(pages, each);
      charts.put(each.word(), page);
      byPath.put(page.path(), page::show);
    }
    for (ListDefinition each : ListDefinition.ALL) {
      byPath.put(Places.FOLDER + each.word(), new ListPage(pages, each)::show);
    }
    byPath.put(Places.CLUSTER, new ClusterPage(pages)::show);
    byPath.put(Places.PERSON, new SubjectPage(pages, SubjectPage.Subject.PERSON)::show);
    byPath.put(Places.ROOM, new SubjectPage(pages, SubjectPage.Subject.ROOM)::show);
    TracePages traces = new TracePages(pages);
    byPath.put(Places.TRACES, traces::list);
    byPath.put(TracePages.SHOW, traces::show);
    byPath.put(SearchPage.PATH, new SearchPage(pages)::show);
    byPath.put(Places.LOG, new LogPage(pages)::show);
    byPath.put(Places.DO, new OperationPage(pages)::all);
  }

  /// A page whose forms are sent to itself.
  @FunctionalInterface
  public interface FormPage {
    /// Answers a request.
    ///
    /// @param posted whether a form was sent
    HttpResponse answer(Desk desk, boolean posted) throws IOException;
  }

  /// What pages have in common.
  public Pages pages() {
    return pages;
  }

  /// Adds a page.
  public void add(String path, FormPage page) {
    withForms.put(path, page);
  }

  /// Has new servers introduced.
  ///
  /// @param isFresh whether nothing was done with the server yet; who signs in by a link then
  ///   begins with the first steps
  /// @param open what the overview says of steps that are open; empty for nothing
  public void introduceBy(Predicate<Desk> isFresh, Function<Desk, String> open) {
    fresh = isFresh;
    hint = open;
  }

  /// Whether the visitor has signed in by a link just now: browsers say from which page they come.
  private static boolean comesFromLink(Desk desk) {
    String from = desk.visit().request().header("Referer");
    return from != null && from.endsWith(SignInPages.LINK);
  }

  /// Adds the page of one's own second factors.
  public ConsolePages with(Protection protection) {
    SecurityPage page =
        new SecurityPage(
            protection,
            pages.templates(),
            visit ->
                pages.frame(
                    desk(visit), visit.language().text("page.security"), SecurityPage.PATH));
    byPath.put(SecurityPage.PATH, desk -> page.show(desk.visit()));
    security = page;
    return this;
  }

  /// The paths of the pages that have one of their own.
  public List<String> paths() {
    return Stream.concat(byPath.keySet().stream(), withForms.keySet().stream()).toList();
  }

  /// Answers a request.
  ///
  /// @param again the visit as it is later; null once the session has ended
  public HttpResponse answer(Visit visit, Supplier<@Nullable Visit> again) throws IOException {
    Desk desk = desk(visit);
    String path = visit.request().path();
    boolean posted = visit.request().method() == HttpMethod.POST;
    if (path.startsWith(Places.DO) && path.length() > Places.DO.length()) {
      String name = path.substring(Places.DO.length());
      OperationPage page = new OperationPage(pages);
      return posted ? page.submit(desk, name) : page.show(desk, name);
    }
    FormPage withForm = withForms.get(path);
    if (withForm != null) {
      return withForm.answer(desk, posted);
    }
    if (posted && security != null && path.startsWith(SecurityPage.FOLDER)) {
      return security.submit(visit, path.substring(SecurityPage.FOLDER.length()));
    }
    if (posted) {
      return pages.missing(desk);
    }
    Supplier<@Nullable Desk> later =
        () -> {
          Visit visited = again.get();
          return visited == null ? null : desk(visited);
        };
    return switch (path) {
      case LivePages.OVERVIEW -> live.overview(desk, later);
      case Places.LIVE_LOG -> live.log(desk, later);
      case Places.LIVE_CHARTS -> {
        ChartPage page = charts.get(desk.query("page"));
        yield page == null ? pages.missing(desk) : live.charts(desk, later, page);
      }
      default -> {
        Function<Desk, HttpResponse> page = byPath.get(path);
        yield page == null ? pages.missing(desk) : page.apply(desk);
      }
    };
  }

  private Desk desk(Visit visit) {
    return new Desk(operations, visit, new Values(visit.language(), clock.instant()), hosts.get());
  }
}
