package toy.api;

public final class Greeting {
  private Greeting() {}

  public static String text() {
    return "hello";
  }
}
