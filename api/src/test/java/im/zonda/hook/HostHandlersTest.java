package im.zonda.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostHandlersTest {
  private static final Hook<String> ANY = Hook.of("word");
  private static final Hook<String> OTHER = Hook.of("word");
  private static final Hook<List<String>> EXCLUSIVE = Hook.exclusive("name", names -> names);

  private final HostHandlers handlers = new HostHandlers();

  @Test
  void handlersOfAHookAreInAscendingOrderAndThenAsAdded() {
    handlers.add(ANY, 2, "late", "a");
    handlers.add(ANY, 1, "first", "a");
    handlers.add(OTHER, 0, "other", "a");
    handlers.add(ANY, 1, "second", "b");
    assertThat(handlers.of(ANY)).containsExactly("first", "second", "late");
    assertThat(handlers.of(ANY, 1)).containsExactly("first", "second");
    assertThat(handlers.of(ANY, 3)).isEmpty();
    assertThat(handlers.of(OTHER)).containsExactly("other");
    assertThat(handlers.of(EXCLUSIVE)).isEmpty();
    assertThat(handlers.hooks()).containsExactly(ANY, OTHER);
  }

  @Test
  void twoModulesWithTheSameKeyAreBothNamed() {
    handlers.add(EXCLUSIVE, 0, List.of("x", "y"), "one");
    handlers.add(EXCLUSIVE, 0, List.of("z"), "two");
    assertThatThrownBy(() -> handlers.add(EXCLUSIVE, 0, List.of("v", "y"), "two"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("modules one and two declare the same name: y");
    HostHandlers more = new HostHandlers();
    more.add(EXCLUSIVE, 0, List.of("z"), "three");
    assertThatThrownBy(() -> handlers.addAll(more))
        .hasMessage("modules two and three declare the same name: z");
  }

  @Test
  void listsAreAddedInTheirOrder() {
    HostHandlers more = new HostHandlers();
    more.add(ANY, 1, "second", "b");
    more.add(ANY, 0, "first", "b");
    handlers.add(ANY, 1, "middle", "a");
    handlers.addAll(more);
    assertThat(handlers.of(ANY)).containsExactly("first", "middle", "second");
  }
}
