// The button in the toolbar opens the panel. There is nothing else here: while the panel is closed, no code of this
// extension runs on your behalf, and it listens to no tab.
if (globalThis.chrome?.sidePanel) chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
else browser.action.onClicked.addListener(() => browser.sidebarAction.toggle());
