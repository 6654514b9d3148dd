// The button in the toolbar opens the side panel. While that is closed, nothing else of this extension runs.
chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
